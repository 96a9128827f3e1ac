// The keyboard. Up is the caller and down the heaviest callee in every view.
function listenToKeys(section, graph, scroller, search) {
  const moves = { ArrowUp: "caller", ArrowDown: "callee", ArrowLeft: -1, ArrowRight: 1 };
  scroller.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const box = graph.box;
    if (event.key in moves) {
      const next = box ? step(graph.view, box, moves[event.key]) : start(graph.view);
      if (next) graph.choose(next);
    } else if (event.key === "Enter" && box) {
      if (graph.zoomed?.node === box.node && graph.zoomed.part === box.part) graph.back(); else graph.zoom(box);
    } else if (event.key === "Home") {
      graph.choose(start(graph.view));
    } else if (event.key.toLowerCase() === "s" && graph.state.frame) {
      graph.set({ view: "sandwich", pivot: graph.state.frame });
    } else {
      return;
    }
    event.preventDefault();
  });
  section.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.target === search.input) return;
    if (graph.zoomed) graph.back(); else if (graph.matched) search.set(""); else graph.choose(null);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target.closest?.("input:not([type=radio]), textarea, select, [contenteditable]")) return;
    if (!section.contains(event.target) && section !== document.querySelector(".flame")) return;
    event.preventDefault();
    search.input.focus();
    search.input.select();
  });
}

const start = (view) => ({ part: view.parts[0], node: 0, row: view.parts[0].row(0) });

// step returns the box beside another: "caller", "callee", or 1 or -1 for the
// next one in the row.
function step(view, { part, node }, move) {
  const box = (of, n) => ({ part: of, node: n, row: of.row(depthOf(of.tree, n)) });
  if (typeof move === "number") {
    const depth = depthOf(part.tree, node), i = find(part.l, depth, part.l.x[node]) + move;
    return i >= part.l.rows[depth] && i < part.l.rows[depth + 1] ? box(part, part.l.order[i]) : null;
  }
  const outward = (move === "callee") !== part.up; // away from the part's root
  if (outward) {
    const kid = part.l.first[node] < part.l.first[node + 1] ? part.l.kids[part.l.first[node]] : 0;
    return kid ? box(part, kid) : null;
  }
  const parent = part.tree.parent[node];
  const other = view.parts.find((q) => q !== part);
  if (parent > 0 || parent === 0 && !part.first) return box(part, parent);
  if (parent === 0) return box(other, 0); // the function itself belongs to its callees' part
  const kid = other && other.l.first[0] < other.l.first[1] ? other.l.kids[other.l.first[0]] : 0;
  return kid ? box(other, kid) : null;
}
