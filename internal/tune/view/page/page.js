// Shows the tab of the address, and keeps what is shown there: the name of a tab,
// and behind a slash what the page in it shows.
(() => {
  const tabs = [...document.querySelectorAll("input[name=tab]")];
  const name = (tab) => tab.id.slice("tab-".length);
  const shown = () => name(tabs.find((t) => t.checked));
  const states = new Map(); // by tab
  const tell = () => document.dispatchEvent(new CustomEvent("page-state", { detail: [shown(), states.get(shown())].filter(Boolean).join("/") }));
  const restore = (frame) => {
    const state = states.get(frame.id);
    if (state) frame.contentWindow.postMessage({ heapwright: { restore: state } }, "*");
  };
  for (const t of tabs) t.addEventListener("change", tell);
  document.addEventListener("page-restore", ({ detail }) => {
    const at = detail.indexOf("/"), tab = at < 0 ? detail : detail.slice(0, at);
    const input = tabs.find((t) => name(t) === tab);
    if (!input) return;
    input.checked = true;
    if (at < 0) return;
    states.set(tab, detail.slice(at + 1));
    const frame = document.getElementById(tab);
    if (frame?.dataset.ready != null) restore(frame);
  });
  document.addEventListener("frame-ready", ({ detail }) => {
    detail.dataset.ready = "";
    restore(detail);
  });
  document.addEventListener("frame-state", ({ detail: { frame, state } }) => {
    states.set(frame.id, state);
    tell();
  });
  for (const a of document.querySelectorAll("a[data-tab]")) { // a finding in its page
    a.addEventListener("click", (event) => {
      event.preventDefault();
      location.hash = a.dataset.tab;
    });
  }
})();
