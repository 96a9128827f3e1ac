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
  const heavier = (a, b) => weight[b] - weight[a];
  let filled = 1;
  for (let from = 0; from < filled;) {
    const to = filled;
    for (; from < to; from++) {
      const node = order[from], begin = first[node], end = first[node + 1];
      if (end - begin > 1) kids.subarray(begin, end).sort(heavier);
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

// find returns the index in order of the last box of a row that begins at or
// before x, by binary search; -1 if there is none.
function find(l, row, x) {
  let low = l.rows[row], high = l.rows[row + 1];
  if (row < 0 || row >= l.depth) return -1;
  while (low < high) {
    const mid = low + high >> 1;
    if (l.x[l.order[mid]] <= x) low = mid + 1; else high = mid;
  }
  return low > l.rows[row] ? low - 1 : -1;
}

// depthOf counts a node's callers.
function depthOf(tree, node) {
  let depth = 0;
  for (let n = tree.parent[node]; n >= 0; n = tree.parent[n]) depth++;
  return depth;
}
