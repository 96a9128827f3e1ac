// The table of functions: flat is what ends in one, cum what passes through it.
const pageOfRows = 30;

function functionTable(graph) {
  const { p } = graph, head = element("tr"), body = element("tbody");
  const more = element("button", { type: "button", class: "flame-more", onclick: () => { limit = Infinity; fill(); } });
  const table = element("table", { class: "flame-functions" },
    element("caption", {}, "Functions"), element("thead", {}, head), body);
  const columns = p.base
    ? [["cum", "Cum"], ["cumChange", "Change"], ["flat", "Flat"], ["flatChange", "Change"], ["name", "Function"]]
    : [["flat", "Flat"], ["cum", "Cum"], ["name", "Function"]];
  let by = p.base ? "flatChange" : "flat", down = true, limit = pageOfRows;

  const heads = columns.map(([key, text]) => {
    const cell = element("th", { scope: "col", class: key === "name" ? null : `n flame-${key}` },
      element("button", { type: "button", onclick: () => sort(key) }, text));
    head.append(cell);
    return [key, cell];
  });

  function sort(key) {
    down = key === by ? !down : key !== "name";
    by = key;
    fill();
  }

  function rows() {
    const { after, before } = graph.table(), all = [];
    for (let f = 1; f < p.names.length; f++) {
      if (graph.matched && !graph.matched[f]) continue;
      const row = { frame: f, name: p.names[f], flat: after.flat[f], cum: after.cum[f] };
      if (before) {
        row.flatChange = row.flat - before.flat[f];
        row.cumChange = row.cum - before.cum[f];
      }
      if (row.cum || row.flat || before?.cum[f]) all.push(row);
    }
    const size = (row) => Math.abs(row[by]);
    const order = by === "name" ? (a, b) => a.name < b.name ? 1 : -1 : (a, b) => size(a) - size(b) || Math.abs(a.cum) - Math.abs(b.cum);
    return all.sort((a, b) => down ? order(b, a) : order(a, b));
  }

  const value = (key, v, whole) => element("td", { class: `n flame-${key}` }, amount(v, graph.unit), ...(p.base ? [] : [" ", element("small", {}, share(v, whole))]));
  const delta = (key, v) => element("td", { class: `n flame-${key} ${v > 0 ? "flame-up" : v < 0 ? "flame-down" : ""}` }, v ? signed(amount(v, graph.unit), v) : "0");

  function fill() {
    for (const [key, cell] of heads) {
      if (key === by) cell.setAttribute("aria-sort", down ? "descending" : "ascending"); else cell.removeAttribute("aria-sort");
    }
    const all = rows(), whole = graph.table().after.total;
    body.replaceChildren(...all.slice(0, limit).map((row) => element("tr", { "data-frame": row.frame },
      columns.map(([key]) => key === "name"
        ? element("th", { scope: "row" }, element("button", { type: "button", onclick: () => graph.chooseFunction(row.frame) }, swatch(graph, row.frame), p.short[row.frame]))
        : key.endsWith("Change") ? delta(key, row[key]) : value(key, row[key], whole)))));
    more.hidden = all.length <= limit;
    more.textContent = `Show all ${all.length}`;
    mark();
  }

  function mark() {
    for (const row of body.rows) row.toggleAttribute("data-chosen", Number(row.dataset.frame) === graph.state.frame);
  }

  body.addEventListener("dblclick", (event) => {
    const row = event.target.closest("tr");
    if (row) graph.set({ view: "sandwich", pivot: Number(row.dataset.frame) });
  });
  graph.listen((what) => {
    if (what === "view" || what === "search") fill(); else if (what === "choice") mark();
  });
  fill();
  return element("div", { class: "flame-panel" }, element("div", { class: "flame-scroll" }, table), more);
}

// swatch is a small square of a function's colour.
function swatch(graph, frame) {
  const i = element("i", { class: "flame-swatch" });
  i.style.setProperty("--light", graph.p.light.tones[graph.p.tone[frame]]);
  i.style.setProperty("--dark", graph.p.dark.tones[graph.p.tone[frame]]);
  return i;
}
