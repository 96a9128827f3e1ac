// The state of a graph as a text for the page's address, and back. Its numbers are
// places in the data of this very page.

const inAddress = ["column", "view", "pivot", "width", "normalized", "colour", "frame"];

function writeState(graph, search, first) {
  const all = new URLSearchParams(), { zoomed } = graph;
  for (const key of inAddress) if (graph.state[key] !== first[key]) all.set(key, graph.state[key]);
  if (zoomed?.range) all.set("range", zoomed.range.map((v) => v.toPrecision(6)).join());
  else if (zoomed) all.set("zoom", [graph.view.parts.indexOf(zoomed.part), zoomed.node].join());
  if (search.input.value) all.set("search", search.input.value);
  return all.toString();
}

// readState shows what a text says, as far as the page has it: anybody can write
// an address.
function readState(graph, search, text) {
  const all = new URLSearchParams(text), { p } = graph, fields = {};
  const number = (key, end) => {
    const n = Number(all.get(key));
    if (all.has(key) && Number.isInteger(n) && n >= 0 && n < end) fields[key] = n;
  };
  const word = (key, ...words) => { if (words.includes(all.get(key))) fields[key] = all.get(key); };
  number("column", p.types.length);
  number("pivot", p.names.length);
  word("view", "flame", "callers", "sandwich");
  word("colour", "package", ...(p.base ? ["change"] : []), ...(p.class.length ? ["cost"] : []));
  if (p.base) {
    word("width", "either", "after", "before", "gone", "new");
    if (all.has("normalized")) fields.normalized = all.get("normalized") === "true";
  }
  graph.set(fields);
  search.set(all.get("search") ?? "");
  const numbers = (key) => (all.get(key) ?? "").split(",").map(Number);
  const [from, to] = numbers("range"), [i, node] = numbers("zoom"), part = graph.view.parts[i];
  if (from >= 0 && to <= 1 && from < to) graph.pan(from, to);
  else if (part?.l.weight[node] > 0) graph.zoom({ part, node, row: part.row(depthOf(part.tree, node)) });
  const frame = Number(all.get("frame"));
  if (frame > 0 && p.names[frame]) {
    graph.choose(heaviest(graph.view, frame));
    graph.state.frame = frame;
  }
}

// keepAddress joins a graph and the address of its page, where its part begins with
// the id of the element around it.
function keepAddress(section, graph, search, restore) {
  const prefix = (section.closest("[id]")?.id ?? "") + "?", first = { ...graph.state };
  let told = "", wait = 0;
  if (restore.text) section.scrollIntoView();
  if (restore.text) readState(graph, search, restore.text);
  restore.now = (text) => readState(graph, search, text);
  graph.listen(() => {
    clearTimeout(wait);
    wait = setTimeout(() => {
      const text = writeState(graph, search, first);
      if (text === told) return;
      told = text;
      document.dispatchEvent(new CustomEvent("page-state", { detail: text ? prefix + text : prefix.slice(0, -1) }));
    }, 200);
  });
}

// listenToAddress hears what the address says of a graph, also before it is drawn.
function listenToAddress(section) {
  const prefix = (section.closest("[id]")?.id ?? "") + "?", restore = { text: "", now: null };
  document.addEventListener("page-restore", ({ detail }) => {
    if (!detail.startsWith(prefix)) return;
    restore.text = detail.slice(prefix.length);
    restore.now?.(restore.text);
  });
  return restore;
}
