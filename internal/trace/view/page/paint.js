// The lanes of the picture, from the top down. Each paints itself into its part
// of the canvas; x turns a time into a pixel.
const lanes = [
  { name: "processors", height: 150, paint: paintProcessors },
  { name: "heap", height: 80, paint: paintHeap },
  { name: "runnable goroutines", height: 56, paint: paintRunnable },
  { name: "collections and pauses", height: 22, paint: paintCollections },
  { name: "longest assists", height: 46, paint: (s) => paintSpans(s, s.p.timeline.longest_assists, s.ink.assist) },
  { name: "longest bursts, the collector's part filled", height: 94, paint: (s) => paintSpans(s, s.p.timeline.longest_bursts, s.ink.assist, s.ink.own) },
];
const gap = 20, axis = 22; // above each lane for its name, and below all for times
const pictureHeight = lanes.reduce((sum, lane) => sum + lane.height + gap, axis);

// columns calls f with every column of the screen's pixels, each s.pixel wide, and
// the steps, or the one, beneath it.
function columns(s, f) {
  const { step_ns: step, runnable_ns: all } = s.p.timeline, length = (s.range.to - s.range.from) / s.width, per = length * s.pixel;
  for (let i = 0; i * s.pixel < s.width; i++) {
    const x = i * s.pixel, from = s.range.from + x * length;
    const first = Math.floor(from / step), last = Math.max(first, Math.min(all.length - 1, Math.floor((from + per) / step)));
    if (first < all.length) f(x, first, last);
  }
}

const mean = (column, first, last) => {
  let sum = 0;
  for (let i = first; i <= last; i++) sum += column[i];
  return sum / (last - first + 1);
};

function paintProcessors(s) {
  const { timeline: t, procs, classes } = s.p;
  columns(s, (x, first, last) => {
    let y = s.height;
    for (const c of classes) {
      const h = Math.min(mean(t.cpu_ns[c], first, last) / t.step_ns / Math.max(procs, 1), 1) * s.height;
      if (h <= 0) continue;
      s.ctx.fillStyle = s.ink[c];
      s.ctx.fillRect(x, s.top + Math.max(y - h, 0), s.pixel, Math.min(h, y));
      y -= h;
    }
  });
  return procs + " of them";
}

function paintHeap(s) {
  const { heap_bytes: heap, heap_goal_bytes: goal } = s.p.timeline;
  let most = 1;
  for (const v of heap) most = Math.max(most, v);
  for (const v of goal) most = Math.max(most, v);
  const line = (column, colour, filled) => {
    s.ctx.fillStyle = colour;
    let known = 0;
    columns(s, (x, first, last) => {
      let v = 0;
      for (let i = first; i <= last; i++) v = Math.max(v, column[i]);
      if (v === 0) v = known; // it has not changed since
      known = v;
      const h = v / most * s.height;
      if (v > 0) s.ctx.fillRect(x, s.top + s.height - h, s.pixel, filled ? h : 2);
    });
  };
  s.ctx.globalAlpha = 0.45;
  line(heap, s.ink.heap, true);
  s.ctx.globalAlpha = 1;
  line(goal, s.ink.goal, false);
  return "up to " + bytes(most);
}

function paintRunnable(s) {
  const { runnable_ns: all, step_ns: step } = s.p.timeline;
  let most = 0;
  for (const v of all) most = Math.max(most, v / step);
  s.ctx.fillStyle = s.ink.goal;
  columns(s, (x, first, last) => {
    const h = most ? mean(all, first, last) / step / most * s.height : 0;
    s.ctx.fillRect(x, s.top + s.height - h, s.pixel, h);
  });
  return "up to " + (most >= 10 ? most.toFixed(0) : most.toFixed(1));
}

function paintCollections(s) {
  for (const c of s.p.cycles) bar(s, c, 0, s.height, s.ink.idle, () => `Collection of ${seconds(c.duration_ns)} at ${seconds(c.start_ns)}: ` +
    `assists ${seconds(c.assist_ns)} in ${c.assists}, workers ${seconds(c.dedicated_ns + c.fractional_ns)}, idle workers ${seconds(c.idle_ns)}, ` +
    `heap ${bytes(c.heap_start_bytes)} to ${bytes(c.heap_end_bytes)}`);
  for (const p of s.p.pauses) bar(s, p, 4, s.height - 8, p.gc ? s.ink.pause : s.ink.stopped, () => `Pause of ${seconds(p.duration_ns)} at ${seconds(p.start_ns)}: ${p.reason}`);
  return "";
}

// bar paints one event, at least a pixel wide, and lets the pointer find it.
function bar(s, e, y, height, colour, tell) {
  const from = s.x(e.start_ns), to = Math.max(s.x(e.start_ns + e.duration_ns), from + 1);
  if (to < 0 || from > s.width) return;
  s.ctx.fillStyle = colour;
  s.ctx.fillRect(from, s.top + y, to - from, height);
  s.found.push({ from, to, top: s.top + y, bottom: s.top + y + height, tell, e });
}

// paintSpans puts spans into as many rows as fit; those that find none free share
// the last. With an under colour a span is filled by the collector's part.
function paintSpans(s, spans, colour, under) {
  const size = 10, rows = new Array(Math.floor(s.height / size)).fill(-1);
  for (const e of spans) {
    const from = s.x(e.start_ns), to = s.x(e.start_ns + e.duration_ns);
    if (to < 0 || from > s.width) continue;
    let row = rows.findIndex((end) => end <= from);
    if (row < 0) row = rows.length - 1;
    rows[row] = Math.max(rows[row], to, from + 2);
    const part = e.duration_ns ? Math.min(e.collector_ns / e.duration_ns, 1) : 0;
    bar(s, e, row * size, size - 2, under ?? colour, () => `${e.name}: ${seconds(e.duration_ns)} at ${seconds(e.start_ns)}, goroutine ${e.goroutine}` +
      (under ? `, of which the collector ${seconds(e.collector_ns)} (${(part * 100).toFixed(0)}%)` : ""));
    if (under && part > 0) {
      s.ctx.fillStyle = colour;
      s.ctx.fillRect(from, s.top + row * size, Math.max((to - from) * part, 1), size - 2);
    }
  }
  return `the ${spans.length} longest`;
}

function paintAxis(s) {
  const length = s.range.to - s.range.from, about = length / Math.max(2, s.width / 110), power = 10 ** Math.floor(Math.log10(about));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= about);
  s.ctx.textAlign = "center";
  for (let t = Math.ceil(s.range.from / step) * step; t <= s.range.to; t += step) {
    const x = s.x(t);
    s.ctx.fillStyle = s.ink.edge;
    s.ctx.fillRect(x, gap, 1, pictureHeight - axis - gap);
    s.ctx.fillStyle = s.ink.soft;
    if (x > 24 && x < s.width - 24) s.ctx.fillText(mark(t, step), x, pictureHeight - 6);
  }
  s.ctx.textAlign = "left";
}

// mark writes a time with the digits that tell neighbours apart.
function mark(t, step) {
  const [of, unit] = step >= 1e8 ? [1e9, "s"] : step >= 1e5 ? [1e6, "ms"] : [1e3, "µs"];
  return (t / of).toFixed(Math.max(0, Math.ceil(-Math.log10(step / of) - 1e-9))) + "\u00a0" + unit;
}
