// Graph is the state that everything on the page shows, and what can be done
// with it. Listeners hear of each change once.
class Graph {
  constructor(p) {
    this.p = p;
    this.state = {
      column: p.column, view: "flame", pivot: 0, width: "either", normalized: p.normalized,
      colour: p.base ? "change" : p.class.length ? "cost" : "package",
      frame: 0, // the function chosen; 0 is none
    };
    this.listeners = [];
    this.zooms = []; // boxes zoomed into, the last one is shown
    this.range = [0, 1];
    this.box = null; // the box chosen
    this.matched = null; // by frame, of a search
    this.known = { values: [], base: [] }; // by column: what totals found out
    this.views = new Map(); // views laid out before, but for sandwiches, of which there are many
    this.rebuild();
  }

  get unit() { return this.p.types[this.state.column].unit; }
  get zoomed() { return this.zooms.at(-1) ?? null; }

  listen(f) { this.listeners.push(f); }
  changed(what) { for (const f of this.listeners) f(what); }

  // set changes what is shown: column, view, pivot, width, normalized, colour.
  set(fields) {
    const before = { ...this.state };
    Object.assign(this.state, fields);
    if (this.state.view === "sandwich" && !this.state.pivot) this.state.pivot = this.state.frame || this.widest();
    const { view, pivot, column, width, normalized } = this.state;
    const sameTree = view === before.view && (view !== "sandwich" || pivot === before.pivot);
    if (!sameTree) { this.zooms = []; this.range = [0, 1]; this.box = null; }
    if (!sameTree || column !== before.column || width !== before.width || normalized !== before.normalized) this.rebuild(sameTree);
    this.changed("view");
  }

  rebuild(keep) {
    const old = this.view;
    this.view = this.viewOf(this.state);
    // Boxes keep their node where the tree is the same; one that weighs nothing now is left.
    const moved = (box) => {
      if (box.range) return box;
      const part = this.view.parts[old.parts.indexOf(box.part)];
      return part.l.weight[box.node] > 0 ? { ...box, part, row: part.row(depthOf(part.tree, box.node)) } : null;
    };
    if (keep) {
      this.zooms = this.zooms.map(moved).filter(Boolean);
      this.box = this.box && moved(this.box);
      this.range = this.goal();
    }
  }

  // viewOf lays a view out, or finds it if it has been before.
  viewOf(state) {
    if (state.view === "sandwich") return makeView(this.p, state);
    const key = [state.view, state.column, state.width, state.normalized].join();
    if (!this.views.has(key)) this.views.set(key, makeView(this.p, state));
    return this.views.get(key);
  }

  // totals is flat and cum by function of a column, or of the base's, unscaled.
  totals(column, side = "values") {
    return this.known[side][column] ??= byFunction(this.p, this.p[side][column]);
  }

  // table is the totals of what is shown.
  table() {
    const { column } = this.state, { scale } = this.view.stacks;
    if (!this.p.base) return { after: this.totals(column) };
    const { flat, cum, total } = this.totals(column, "base"), times = (v) => v * scale;
    return { after: this.totals(column), before: { flat: flat.map(times), cum: cum.map(times), total: total * scale } };
  }

  widest() {
    const { cum } = this.table().after;
    return cum.reduce((best, v, f) => f && Math.abs(v) > Math.abs(cum[best]) && this.p.origin[f] === 0 ? f : best, 1);
  }

  choose(box) {
    this.box = box;
    this.state.frame = box ? box.part.tree.frame[box.node] : 0;
    this.changed("choice");
  }

  // chooseFunction chooses the widest box of a function. If that cannot be seen,
  // it shows the nearest of its callers below which it can.
  chooseFunction(frame) {
    const box = this.box = heaviest(this.view, frame);
    this.state.frame = frame;
    if (box) {
      const share = (n) => box.part.l.weight[box.node] / box.part.l.weight[n];
      const [from, to] = this.extent(box), [left, right] = this.goal();
      if (from < left || to > right) this.zooms = [];
      if ((to - from) / (this.goal()[1] - this.goal()[0]) < 0.004) {
        let caller = box.node;
        while (caller > 0 && share(box.part.tree.parent[caller]) > 0.02) caller = box.part.tree.parent[caller];
        if (caller > 0) this.zooms.push({ part: box.part, node: caller, row: box.part.row(depthOf(box.part.tree, caller)) });
      }
    }
    this.changed("choice");
    this.changed("zoom");
  }

  // zoom shows a box over the whole width; the root or null shows all.
  zoom(box) {
    if (box && box.node !== 0) this.zooms.push(box); else this.zooms = [];
    this.changed("zoom");
  }

  back() {
    this.zooms.pop();
    this.changed("zoom");
  }

  // pan shows a range that is no box's.
  pan(from, to) {
    const width = Math.min(1, Math.max(1e-9, to - from));
    from = Math.max(0, Math.min(1 - width, from));
    this.range = [from, from + width];
    this.zooms = this.range[0] > 0 || this.range[1] < 1 ? [{ range: this.range }] : [];
    this.changed("zoom");
  }

  extent({ part, node, range }) {
    return range ?? [part.l.x[node] / part.l.whole, (part.l.x[node] + part.l.weight[node]) / part.l.whole];
  }

  goal() { return this.zoomed ? this.extent(this.zoomed) : [0, 1]; }

  search(pattern) {
    this.matched = pattern && Uint8Array.from(this.p.names, (name, f) => f > 0 && pattern.test(name) ? 1 : 0);
    this.changed("search");
  }

  // found is the part of the column in stacks with a function that matches,
  // each counted once.
  found() {
    const { p, matched } = this, under = new Uint8Array(p.nodes), { weight } = this.view.stacks;
    for (let n = 1; n < p.nodes; n++) under[n] = under[p.parent[n]] | matched[p.frame[n]];
    let part = 0, whole = 0;
    for (let s = 0; s < weight.length; s++) {
      whole += weight[s];
      if (under[p.end[s]]) part += weight[s];
    }
    return { part, whole, functions: matched.reduce((a, b) => a + b, 0) };
  }
}
