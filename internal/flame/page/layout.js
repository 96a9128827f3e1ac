// Where the boxes of a tree are: x and weight by node in the unit of the
// weights, nodes by row from left to right. Callees are as wide as they weigh,
// the heaviest first.
function layout(tree, weight) {
  const { parent } = tree, n = parent.length;
  const first = new Int32Array(n + 1); // by node: where its callees begin in kids
  let count = 1;
  for (let i = 1; i < n; i++) if (weight[i] > 0) { first[parent[i] + 1]++; count++; }
  for (let i = 0; i < n; i++) first[i + 1] += first[i];
  const kids = new Int32Array(count - 1), next = first.slice();
  for (let i = 1; i < n; i++) if (weight[i] > 0) kids[next[parent[i]]++] = i;
  const order = new Int32Array(count), rows = [0, 1], x = new Float64Array(n);
  let filled = 1;
  for (let from = 0; from < filled;) {
    const to = filled;
    for (; from < to; from++) {
      const node = order[from], begin = first[node], end = first[node + 1];
      if (end - begin > 1) sortByWeight(kids, begin, end, weight);
      let at = x[node];
      for (let k = begin; k < end; k++) {
        const kid = kids[k];
        x[kid] = at;
        at += weight[kid];
        order[filled++] = kid;
      }
    }
    if (filled > to) rows.push(filled);
  }
  return { x, weight, order, rows, depth: rows.length - 1, whole: weight[0], first, kids };
}

// sortByWeight puts the heaviest first. Most nodes have few callees, often in
// this order already, and for those insertion is fastest.
function sortByWeight(nodes, begin, end, weight) {
  if (end - begin > 24) {
    nodes.subarray(begin, end).sort((a, b) => weight[b] - weight[a]);
    return;
  }
  for (let i = begin + 1; i < end; i++) {
    const node = nodes[i], w = weight[node];
    let j = i;
    for (; j > begin && weight[nodes[j - 1]] < w; j--) nodes[j] = nodes[j - 1];
    nodes[j] = node;
  }
}

// find returns the index in order of the last box of a row that begins at or
// before x, by binary search; -1 if there is none.
function find(l, row, x) {
  if (row < 0 || row >= l.depth) return -1;
  const i = lastAt(l, l.rows[row], l.rows[row + 1], x);
  return i < l.rows[row] ? -1 : i;
}

// lastAt is find between two places in order; low - 1 if there is none.
function lastAt({ x: begins, order }, low, high, x) {
  while (low < high) {
    const mid = low + high >> 1;
    if (begins[order[mid]] <= x) low = mid + 1; else high = mid;
  }
  return low - 1;
}

// lastFrom is find for an x that is probably not far behind the box at i: it
// looks in steps that double.
function lastFrom(l, i, end, x) {
  let step = 1;
  while (i + step < end && l.x[l.order[i + step]] <= x) { i += step; step *= 2; }
  return lastAt(l, i + 1, Math.min(end, i + step), x);
}

// depthOf counts a node's callers.
function depthOf(tree, node) {
  let depth = 0;
  for (let n = tree.parent[node]; n >= 0; n = tree.parent[n]) depth++;
  return depth;
}
