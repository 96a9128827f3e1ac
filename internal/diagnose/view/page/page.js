// Joins findings and flame graphs, and keeps the open finding in the address.
(() => {
  const findings = [...document.querySelectorAll(".finding")];

  for (const f of findings) {
    f.firstElementChild.addEventListener("click", () => {
      document.dispatchEvent(new CustomEvent("page-state", { detail: f.open ? "findings" : f.id })); // before it folds or unfolds
    });
  }
  function show(finding) {
    finding.open = true;
    finding.scrollIntoView();
    finding.tabIndex = -1; // not its summary: the key that led here would fold it
    finding.focus({ preventScroll: true });
  }
  document.addEventListener("page-restore", ({ detail }) => {
    const at = findings.find((f) => f.id === detail);
    if (at) show(at);
  });

  const link = (text, href, onclick) => {
    const a = document.createElement("a");
    a.href = href;
    a.textContent = text;
    a.addEventListener("click", (event) => { event.preventDefault(); onclick(); });
    return a;
  };
  document.addEventListener("flame-ready", ({ target }) => {
    const section = target.closest(".graph");
    for (const f of findings) {
      const frame = target.flame.frame(f.dataset.function);
      if (frame <= 0) continue;
      const see = f.querySelector(".see");
      see.hidden = false;
      see.previousElementSibling.hidden = false;
      see.append(link(section.dataset.of, "#" + section.id, () => {
        target.flame.graph.chooseFunction(frame);
        section.scrollIntoView();
      }), " ");
    }
  });
  document.addEventListener("flame-about", ({ target, detail }) => {
    for (const f of findings.filter((f) => f.dataset.function === detail)) {
      const p = document.createElement("p");
      p.append("Finding ", link(f.querySelector("h3").textContent, "#" + f.id, () => show(f)));
      target.append(p);
    }
  });
})();
