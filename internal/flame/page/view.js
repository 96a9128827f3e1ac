// A view is what the canvas shows: one tree, or two around a function. Each
// part's rows go down from its origin, or up: the caller is above in all of them.

function makeView(p, state) {
  const stacks = stackValues(p, state);
  const part = (tree, up, first) => measure(p, { tree, up, first, origin: 0 }, stacks);
  let parts;
  if (state.view === "flame") {
    parts = [part(flameTree(p), false, 0)];
  } else if (state.view === "callers") {
    p.inverted ??= callersTree(p); // it is the same for all columns
    parts = [part(p.inverted, true, 0)];
    parts[0].origin = parts[0].l.depth - 1;
  } else {
    const { callers, callees } = sandwich(p, state.pivot);
    parts = [part(callees, false, 0), part(callers, true, 1)]; // the function itself is drawn once
    parts[0].origin = parts[1].origin = Math.max(0, parts[1].l.depth - 1);
  }
  const rows = Math.max(...parts.map((q) => q.up ? q.origin + 1 : q.origin + q.l.depth));
  return { parts, rows, stacks };
}

// stackValues is the column by stack: after, before (scaled) and how wide.
function stackValues(p, { column, width, normalized }) {
  const after = p.values[column], total = (v) => v.reduce((a, b) => a + b, 0);
  if (!p.base) return { after, weight: after.some((v) => v < 0) ? after.map(Math.abs) : after, total: total(after) };
  const sum = total(after), was = total(p.base[column]);
  const scale = normalized && sum && was ? sum / was : 1;
  const before = p.base[column].map((v) => v * scale);
  const by = {
    either: (a, b) => Math.max(Math.abs(a), Math.abs(b)),
    after: (a) => Math.abs(a),
    before: (a, b) => Math.abs(b),
    gone: (a, b) => a === 0 ? Math.abs(b) : 0,
    new: (a, b) => b === 0 ? Math.abs(a) : 0,
  }[width];
  return { after, before, scale, weight: after.map((a, s) => by(a, before[s])), total: sum, totalBefore: was * scale };
}

function measure(p, part, { after, before, weight }) {
  part.after = sums(part.tree, after);
  part.before = before && sums(part.tree, before);
  part.l = layout(part.tree, sums(part.tree, weight));
  if (p.class.length) part.class = dominant(p, part.tree, weight);
  part.row = (depth) => part.up ? part.origin - depth : part.origin + depth;
  part.depth = (row) => part.up ? part.origin - row : row - part.origin;
  return part;
}

// dominant is by node the cost class that has most of it.
function dominant(p, tree, weight) {
  const best = new Float64Array(tree.parent.length), out = new Uint8Array(tree.parent.length);
  p.classes.forEach((_, c) => {
    if (!p.class.includes(c)) return;
    const of = sums(tree, weight.map((w, s) => p.class[s] === c ? w : 0));
    for (let n = 0; n < of.length; n++) if (of[n] > best[n]) { best[n] = of[n]; out[n] = c; }
  });
  return out;
}

// change is the step of the colour for a change, as in palette.go: 4 is none.
function change(after, before) {
  const larger = Math.max(Math.abs(after), Math.abs(before));
  if (!larger) return 4;
  const part = (after - before) / larger;
  const step = [0.01, 0.05, 0.2, 0.5].filter((limit) => Math.abs(part) >= limit).length;
  return 4 + Math.sign(part) * step;
}

// boxAt returns what is drawn in a row at a share of the width.
function boxAt(view, row, at) {
  for (const part of view.parts) {
    const depth = part.depth(row), x = at * part.l.whole;
    if (depth < part.first) continue;
    const i = find(part.l, depth, x);
    if (i < 0) continue;
    const node = part.l.order[i];
    if (x < part.l.x[node] + part.l.weight[node]) return { part, node, row };
  }
  return null;
}

// heaviest is the widest box of a function, to show it.
function heaviest(view, frame) {
  let found = null, weight = 0;
  for (const part of view.parts) {
    for (let i = part.first ? 1 : 0; i < part.l.order.length; i++) {
      const node = part.l.order[i];
      if (part.tree.frame[node] !== frame || part.l.weight[node] <= weight) continue;
      if (node === 0 && frame === 0) continue;
      weight = part.l.weight[node];
      found = { part, node };
    }
  }
  return found && { ...found, row: found.part.row(depthOf(found.part.tree, found.node)) };
}
