// Draws boxes on a canvas. Only what is visible is looked at: a row's first box
// is found by binary search, and the row ends where the canvas does.
const rowHeight = 20;

function paintBoxes(ctx, scene) {
  const { view, width, height, top } = scene;
  ctx.clearRect(0, 0, width, height);
  ctx.font = scene.font;
  ctx.textBaseline = "middle";
  const first = Math.floor(top / rowHeight), last = Math.min(view.rows - 1, Math.floor((top + height) / rowHeight));
  for (const part of view.parts) {
    for (let row = first; row <= last; row++) {
      const depth = part.depth(row);
      if (depth >= part.first && depth < part.l.depth) paintRow(ctx, scene, part, depth, row * rowHeight - top);
    }
  }
  ctx.globalAlpha = 1;
}

function paintRow(ctx, scene, part, depth, y) {
  const { l } = part, { range, width, matched } = scene, [start] = range;
  const scale = width / (range[1] - start), end = l.rows[depth + 1], hits = matched && hitsBefore(part, matched);
  const run = { from: 0, to: -1, node: 0, hit: false }; // boxes too narrow to draw one by one
  const flush = () => {
    if (run.to < run.from) return;
    ctx.globalAlpha = matched && !run.hit ? 0.35 : 1;
    ctx.fillStyle = run.hit ? scene.ink.match : scene.fill(part, run.node);
    ctx.fillRect(run.from, y, Math.max(0.6, run.to - run.from), rowHeight - 1);
    Object.assign(run, { from: 0, to: -1, hit: false });
  };
  for (let i = Math.max(l.rows[depth], find(l, depth, start * l.whole)); i < end;) {
    const node = l.order[i], left = (l.x[node] / l.whole - start) * scale, w = l.weight[node] / l.whole * scale;
    if (left >= width) break;
    if (w >= 1.2) {
      flush();
      if (left + w > 0) paintBox(ctx, scene, part, node, depth, left, w, y);
      i++;
      continue;
    }
    // All that begin within this pixel are narrow too, but perhaps the last.
    const next = Math.max(i + 1, lastFrom(l, i, end, ((left + 1) / scale + start) * l.whole));
    const last = l.order[next - 1], right = ((l.x[last] + l.weight[last]) / l.whole - start) * scale;
    if (run.to >= run.from && left - run.to > 0.6) flush();
    if (run.to < run.from) Object.assign(run, { from: left, node });
    run.to = right;
    run.hit ||= matched && hits[next] > hits[i];
    i = next;
  }
  flush();
}

// hitsBefore is by place in the layout's order how many boxes before it match.
function hitsBefore(part, matched) {
  if (part.hitsOf !== matched) {
    const { order } = part.l, hits = new Int32Array(order.length + 1);
    for (let i = 0; i < order.length; i++) hits[i + 1] = hits[i] + matched[part.tree.frame[order[i]]];
    Object.assign(part, { hitsOf: matched, hits });
  }
  return part.hits;
}

function paintBox(ctx, scene, part, node, depth, left, w, y) {
  const frame = part.tree.frame[node], { matched, ink } = scene, hit = matched?.[frame] === 1;
  const from = Math.max(left, -2), to = Math.min(left + w - (w > 3 ? 1 : 0.3), scene.width + 2);
  const caller = scene.zoomed?.has(part, node);
  ctx.globalAlpha = matched && !hit ? 0.35 : caller ? 0.55 : 1;
  ctx.fillStyle = hit ? ink.match : scene.fill(part, node);
  ctx.fillRect(from, y, to - from, rowHeight - 1);
  const gone = part.before && part.after[node] === 0 && node > 0;
  if (gone && !hit) {
    ctx.fillStyle = scene.hatch;
    ctx.fillRect(from, y, to - from, rowHeight - 1);
  }
  const begin = Math.max(from, 0), room = Math.floor((Math.min(to, scene.width) - begin - 7) / scene.sign);
  if (room >= 3) {
    const text = fit(scene.p, frame, room);
    ctx.fillStyle = hit ? ink.matchText : ink.text;
    ctx.fillText(text, begin + 4, y + rowHeight / 2);
    const figure = scene.figure(part, node);
    if (text.length + figure.length + 2 <= room) {
      ctx.globalAlpha *= 0.65;
      ctx.fillText(figure, begin + 4 + (text.length + 1.5) * scene.sign, y + rowHeight / 2);
    }
  }
  ctx.globalAlpha = 1;
  ctx.fillStyle = ctx.strokeStyle = ink.text;
  if (scene.chosen?.part === part && scene.chosen.node === node) {
    ctx.lineWidth = 2;
    ctx.strokeRect(from + 1, y + 1, to - from - 2, rowHeight - 3);
  } else if (scene.frame && frame === scene.frame) {
    ctx.fillRect(from, y + rowHeight - 3, to - from, 2);
  }
  if (scene.hover?.part === part && scene.hover.node === node) {
    ctx.globalAlpha = 0.14;
    ctx.fillRect(from, y, to - from, rowHeight - 1);
    ctx.globalAlpha = 1;
  }
}

// fit is as much of a name as so many signs hold: without its path, or without
// its package, if that helps.
function fit(p, frame, room) {
  if (p.names[frame].length <= room) return p.names[frame];
  const name = p.short[frame];
  if (name.length <= room) return name;
  const bare = name.slice(name.indexOf(".") + 1);
  return bare.length <= room ? bare : bare.slice(0, room - 1) + "…";
}

// hatching is the pattern over what is gone.
function hatching(ctx, colour) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const t = tile.getContext("2d");
  t.strokeStyle = colour;
  t.globalAlpha = 0.45;
  t.lineWidth = 1.2;
  for (const shift of [-8, 0, 8]) {
    t.moveTo(shift, 8);
    t.lineTo(shift + 8, 0);
  }
  t.stroke();
  return ctx.createPattern(tile, "repeat");
}
