// The window of time that is shown, and how times are written.
function seconds(ns) {
  const v = Math.abs(ns);
  if (v === 0) return "0\u00a0s";
  const digits = (x) => x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toFixed(2);
  const [of, unit] = v >= 1e9 ? [1e9, "s"] : v >= 1e6 ? [1e6, "ms"] : v >= 1e3 ? [1e3, "µs"] : [1, "ns"];
  return (ns < 0 ? "-" : "") + digits(v / of) + "\u00a0" + unit;
}

function bytes(v) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  for (; v >= 1024 && i < units.length - 1; i++) v /= 1024;
  return (v >= 100 || i === 0 ? v.toFixed(0) : v.toFixed(1)) + "\u00a0" + units[i];
}

// Range is the part of the trace that is shown, at least a microsecond of it.
class Range {
  constructor(duration) {
    Object.assign(this, { duration: Math.max(duration, 1000), from: 0, to: Math.max(duration, 1000), heard: [] });
  }
  listen(f) { this.heard.push(f); }
  set(from, to) {
    const length = Math.min(Math.max(to - from, 1000), this.duration);
    this.from = Math.min(Math.max(0, from), this.duration - length);
    this.to = this.from + length;
    for (const f of this.heard) f();
  }
  zoom(factor, at = (this.from + this.to) / 2) { this.set(at - (at - this.from) * factor, at + (this.to - at) * factor); }
  pan(share) { const d = (this.to - this.from) * share; this.set(this.from + d, this.to + d); }
  // show brings a span into view, with something around it.
  show(from, to) { const margin = Math.max((to - from) * 0.6, 20000); this.set(from - margin, to + margin); }
  all() { this.set(0, this.duration); }
}

// sums adds up the columns of the timeline over the range.
function sums(p, range) {
  const { timeline: t } = p, out = {}, n = t.runnable_ns.length;
  const first = Math.floor(range.from / t.step_ns), last = Math.min(n - 1, Math.floor((range.to - 1) / t.step_ns));
  for (const c of p.classes) {
    let sum = 0;
    for (let i = first; i <= last; i++) {
      const part = Math.min(range.to, (i + 1) * t.step_ns) - Math.max(range.from, i * t.step_ns);
      sum += t.cpu_ns[c][i] * part / t.step_ns;
    }
    out[c] = sum;
  }
  return out;
}
