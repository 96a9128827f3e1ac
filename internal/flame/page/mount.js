// Builds each graph of the page when its data is unpacked.
async function mount(section) {
  const restore = listenToAddress(section);
  const graph = new Graph(await unpack(section)), search = searchField(graph);
  const main = graphCanvas(graph), map = minimap(graph, main.look, main.fill);
  const status = element("p", { class: "flame-status", role: "status" });
  const reset = element("button", { type: "button", onclick: () => graph.zoom(null) }, "Show all");
  graph.listen(() => {
    const box = graph.box;
    status.textContent = box ? describe(graph, box).map((e) => e.textContent).join(" · ") : "";
    reset.hidden = !graph.zoomed;
  });
  reset.hidden = true;
  const sum = element("p", { class: "flame-summary" }, summary(graph));
  graph.listen((what) => { if (what === "view") sum.textContent = summary(graph); });
  const help = element("p", { class: "flame-soft flame-help" },
    "Click or Enter zooms, Esc goes back, arrows move, / searches, S shows callers and callees.");
  section.replaceChildren(
    sum,
    controls(graph),
    element("div", { class: "flame-find", role: "search" }, search.input, search.result, reset),
    legend(graph), map.canvas, main.scroller, status, help,
    element("div", { class: "flame-columns" }, functionTable(graph), detailsPanel(graph, search)),
    main.tip,
  );
  main.start();
  map.paint();
  listenToKeys(section, graph, main.scroller, search);
  section.addEventListener("flame-search", (event) => search.set(String(event.detail)));
  // What tests and pages around may ask and do.
  section.flame = {
    graph, paint: main.paint,
    under: (x, y) => main.under({ clientX: x, clientY: y }),
    frame: (name) => graph.p.names.indexOf(name),
    // place is the middle of a function's widest box, in CSS pixels of the viewport.
    place(name) {
      const box = heaviest(graph.view, graph.p.names.indexOf(name));
      if (!box) return null;
      const r = main.canvas.getBoundingClientRect(), [from, to] = graph.range, [a, b] = graph.extent(box);
      const x = (Math.max(a, from) + Math.min(b, to)) / 2;
      return { x: r.left + (x - from) / (to - from) * r.width, y: r.top + (box.row + 0.5) * rowHeight - main.scroller.scrollTop };
    },
  };
  keepAddress(section, graph, search, restore);
  section.dataset.ready = "";
  section.dispatchEvent(new CustomEvent("flame-ready", { bubbles: true }));
  // The tree of callers takes longest, so it grows before somebody asks for it.
  const whenIdle = window.requestIdleCallback ?? ((f) => setTimeout(f, 500)); // Safari has none
  whenIdle(() => graph.viewOf({ ...graph.state, view: "callers" }));
}

for (const section of document.querySelectorAll(".flame")) {
  mount(section).catch((err) => {
    console.error(err);
    section.dataset.failed = "";
    section.querySelector(".flame-wait").textContent = `The graph cannot be shown: ${err.message}. A browser from 2023 or later is needed.`;
  });
}
