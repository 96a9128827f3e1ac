// What a box is, in words: for the tip under the mouse and for those who listen.
function describe(graph, { part, node }) {
  const { p, unit } = graph, frame = part.tree.frame[node], { total } = graph.view.stacks;
  const parent = part.tree.parent[node], now = part.after[node];
  const lines = [element("b", {}, p.names[frame])];
  const add = (...text) => lines.push(element("span", {}, ...text));
  if (part.before) {
    const was = part.before[node], d = now - was;
    add(`${amount(was, unit)} before, ${amount(now, unit)} after`);
    add(now === 0 && was !== 0 ? "gone: only in the base" : was === 0 && now !== 0 ? "new: not in the base"
      : `${signed(amount(d, unit), d)} (${changed(now, was)})`);
  } else {
    add(`${amount(now, unit)}, ${share(now, total)} of all`);
    if (parent > 0 || parent === 0 && part.tree.frame[0]) {
      add(`${share(now, part.after[parent])} of ${part.up ? "its callee" : "its caller"} ${p.short[part.tree.frame[parent]]}`);
    }
  }
  if (part.class && graph.state.colour === "cost" && frame) add(`mostly ${p.classes[part.class[node]]}`);
  if (frame) add(`${p.packages[p.package[frame]]} · ${p.origins[p.origin[frame]]}`);
  return lines;
}
