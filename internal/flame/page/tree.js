// Trees of calls. Each has parent and frame by node, parents before callees,
// and end by stack: the node where it ends, -1 if it is not in the tree.

function flameTree(p) {
  return p.tree ??= { parent: p.parent, frame: p.frame, end: p.end };
}

// callersTree begins with what was running and branches into its callers. It
// grows row by row, all stacks one step up at a time. Those that are at one node
// stand together, so that a mark by function finds where each goes on, without the
// cache misses of a hash table.
function callersTree(p) {
  const { parent: callerOf, frame: frameOf } = p;
  const end = new Int32Array(p.end.length), up = p.end.slice(); // by stack: where it is, and in the flame tree
  const depth = new Int32Array(p.nodes), mark = new Int32Array(p.names.length).fill(-1), to = new Int32Array(p.names.length);
  for (let n = 1; n < p.nodes; n++) depth[n] = depth[callerOf[n]] + 1;
  const most = p.end.reduce((sum, n) => sum + depth[n], 1), parent = new Int32Array(most), frame = new Int32Array(most);
  parent[0] = -1;
  let n = 1;
  for (let stacks = end.map((_, s) => s).filter((s) => up[s] > 0); stacks.length;) {
    const row = n;
    for (const s of stacks) {
      const f = frameOf[up[s]], at = end[s];
      if (mark[f] !== at) {
        mark[f] = at;
        to[f] = n;
        parent[n] = at;
        frame[n++] = f;
      }
      end[s] = to[f];
      up[s] = callerOf[up[s]];
    }
    // Those that go on, in the order of their nodes: a counting sort.
    const begin = new Int32Array(n - row + 1);
    for (const s of stacks) if (up[s] > 0) begin[end[s] - row + 1]++;
    for (let i = 1; i < begin.length; i++) begin[i] += begin[i - 1];
    const next = new Int32Array(begin.at(-1));
    for (const s of stacks) if (up[s] > 0) next[begin[end[s] - row]++] = s;
    stacks = next;
  }
  return { parent: parent.slice(0, n), frame: frame.slice(0, n), end };
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

// trie grows a tree. Nodes are found by an open hash table over parent and frame.
function trie(rootFrame) {
  let parent = new Int32Array(1024), frame = new Int32Array(1024), n = 1;
  let table = new Int32Array(4096), mask = table.length - 1;
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

// sums adds values by stack up the tree. It remembers what it found out, for as
// long as there are the tree and the values: neither ever changes.
function sums(tree, values) {
  const known = tree.sums ??= new WeakMap();
  if (known.has(values)) return known.get(values);
  const out = new Float64Array(tree.parent.length);
  known.set(values, out);
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
