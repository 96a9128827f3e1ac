// Trees of calls. Each has parent and frame by node, parents before callees,
// and end by stack: the node where it ends, -1 if it is not in the tree.

function flameTree(p) {
  return { parent: p.parent, frame: p.frame, end: p.end };
}

// callersTree begins with what was running and branches into its callers.
function callersTree(p) {
  const t = trie(0, p.nodes), end = new Int32Array(p.end.length);
  for (let s = 0; s < end.length; s++) {
    let at = 0;
    for (let n = p.end[s]; n > 0; n = p.parent[n]) at = t.step(at, p.frame[n]);
    end[s] = at;
  }
  return { ...t.done(), end };
}

// sandwich is a function between the trees of its callers and of its callees.
// Where it calls itself, the outermost call counts, so that each stack is in
// either tree once.
function sandwich(p, frame) {
  const up = trie(frame), down = trie(frame);
  const upEnd = new Int32Array(p.end.length).fill(-1), downEnd = new Int32Array(p.end.length).fill(-1);
  const at = new Int32Array(p.nodes); // by node of the flame tree: the node of down
  let s = 0;
  for (let n = 1; n < p.nodes; n++) {
    if (p.frame[n] !== frame || !p.outermost[n]) continue;
    let top = 0;
    for (let m = p.parent[n]; m > 0; m = p.parent[m]) top = up.step(top, p.frame[m]);
    at[n] = 0;
    for (let m = n + 1; m < p.after[n]; m++) at[m] = down.step(at[p.parent[m]], p.frame[m]);
    while (s < p.end.length && p.end[s] < n) s++;
    for (; s < p.end.length && p.end[s] < p.after[n]; s++) {
      upEnd[s] = top;
      downEnd[s] = at[p.end[s]];
    }
    n = p.after[n] - 1;
  }
  return { callers: { ...up.done(), end: upEnd }, callees: { ...down.done(), end: downEnd } };
}

// trie grows a tree, with room for so many nodes to begin with. Nodes are found
// by an open hash table over parent and frame.
function trie(rootFrame, room = 1024) {
  let size = 1024;
  while (size < room) size *= 2;
  let parent = new Int32Array(size), frame = new Int32Array(size), n = 1;
  let table = new Int32Array(4 * size), mask = table.length - 1;
  parent[0] = -1;
  frame[0] = rootFrame;
  const slot = (p, f) => {
    let h = Math.imul(Math.imul(p, 0x9e3779b1) ^ f, 0x85ebca6b);
    return (h ^ h >>> 15) & mask;
  };
  const grow = () => {
    const wider = (a) => { const b = new Int32Array(2 * a.length); b.set(a); return b; };
    parent = wider(parent);
    frame = wider(frame);
    table = new Int32Array(2 * table.length);
    mask = table.length - 1;
    for (let node = 1; node < n; node++) {
      let i = slot(parent[node], frame[node]);
      while (table[i]) i = i + 1 & mask;
      table[i] = node;
    }
  };
  return {
    step(p, f) {
      let i = slot(p, f);
      for (let node; (node = table[i]); i = i + 1 & mask) {
        if (parent[node] === p && frame[node] === f) return node;
      }
      if (n === parent.length) {
        grow();
        i = slot(p, f);
        while (table[i]) i = i + 1 & mask;
      }
      parent[n] = p;
      frame[n] = f;
      return (table[i] = n++);
    },
    done: () => ({ parent: parent.slice(0, n), frame: frame.slice(0, n) }),
  };
}

// sums adds values by stack up the tree.
function sums(tree, values) {
  const out = new Float64Array(tree.parent.length);
  for (let s = 0; s < values.length; s++) if (tree.end[s] >= 0) out[tree.end[s]] += values[s];
  for (let n = out.length - 1; n > 0; n--) out[tree.parent[n]] += out[n];
  return out;
}

// byFunction adds a column up by frame: what ends in it, and what passes through.
function byFunction(p, values) {
  const total = sums(flameTree(p), values);
  const flat = new Float64Array(p.names.length), cum = new Float64Array(p.names.length);
  for (let s = 0; s < values.length; s++) if (p.end[s] > 0) flat[p.frame[p.end[s]]] += values[s];
  for (let n = 1; n < p.nodes; n++) if (p.outermost[n]) cum[p.frame[n]] += total[n];
  return { flat, cum, total: total[0] };
}
