"use strict";
// All pages share this: the switch of the colour scheme, buttons that copy, and
// the address, which says what is shown so that it can be sent to somebody.
//
// A script of a page dispatches "page-state" with a text when what it shows has
// changed, and hears "page-restore" with the text of the address. A page that is
// shown in a frame of another has no address of its own: it asks the page around.
(() => {
  const root = document.documentElement, framed = parent !== window;
  const send = (to, message) => to.postMessage({ heapwright: message }, "*");
  const emit = (type, detail) => document.dispatchEvent(new CustomEvent(type, { detail }));

  const schemes = { "": "Colours: as the system", light: "Colours: light", dark: "Colours: dark" };
  const button = document.createElement("button");
  function setScheme(scheme) {
    if (scheme) root.dataset.scheme = scheme; else delete root.dataset.scheme;
    button.textContent = schemes[scheme];
    emit("scheme");
    for (const f of document.querySelectorAll("iframe")) send(f.contentWindow, { scheme });
  }
  const kept = (write) => { // a browser may forbid a file to keep anything
    try { return write == null ? localStorage.getItem("heapwright-scheme") : localStorage.setItem("heapwright-scheme", write); } catch { return null; }
  };
  if (!framed) {
    button.type = "button";
    button.className = "scheme";
    button.addEventListener("click", () => {
      const all = Object.keys(schemes), next = all[(all.indexOf(root.dataset.scheme ?? "") + 1) % all.length];
      kept(next);
      setScheme(next);
    });
    (document.querySelector(".over") ?? document.querySelector("header"))?.append(button);
    const before = kept();
    setScheme(before in schemes ? before : "");
  }

  for (const pre of document.querySelectorAll("pre.lines")) {
    const copy = document.createElement("button"), box = document.createElement("div");
    copy.type = "button";
    copy.className = "copy";
    copy.textContent = "Copy";
    box.className = "copied";
    pre.replaceWith(box);
    box.append(pre, copy);
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent);
        copy.textContent = "Copied";
      } catch { // not allowed in a frame: mark it, so that Ctrl-C does
        getSelection().selectAllChildren(pre);
        copy.textContent = document.execCommand("copy") ? "Copied" : "Press Ctrl-C";
      }
      setTimeout(() => { copy.textContent = "Copy"; }, 2000);
    });
  }

  // The text is written as it stands in an address.
  document.addEventListener("page-state", ({ detail }) => {
    if (framed) send(parent, { state: detail });
    else history.replaceState(null, "", detail ? "#" + detail : location.pathname + location.search);
  });
  const restore = (address) => emit("page-restore", address.split("#")[1] ?? "");
  addEventListener("hashchange", ({ newURL }) => { if (!framed) restore(newURL); }); // by now the address may be another
  addEventListener("message", ({ source, data }) => {
    const m = data?.heapwright;
    if (!m) return;
    if (source === parent && framed) {
      if (m.scheme != null && m.scheme in schemes) setScheme(m.scheme);
      if (m.restore) emit("page-restore", String(m.restore));
      return;
    }
    const frame = [...document.querySelectorAll("iframe")].find((f) => f.contentWindow === source);
    if (!frame) return;
    if (m.ready) {
      send(source, { scheme: root.dataset.scheme ?? "" });
      emit("frame-ready", frame);
    }
    if (m.state != null) emit("frame-state", { frame, state: String(m.state) });
  });
  addEventListener("DOMContentLoaded", () => {
    if (framed) send(parent, { ready: true });
    else if (location.hash) restore(location.href);
  });
})();
