// Figures for people, as internal/format writes them.
const minus = (v, text) => (v < 0 && /[1-9]/.test(text) ? "-" : "") + text;

function digits(v) {
  const a = Math.abs(v);
  if (a !== Math.trunc(a) && a < 0.01) return minus(v, a.toPrecision(2));
  return minus(v, a.toFixed(a >= 99.95 || a === Math.trunc(a) ? 0 : a >= 9.995 ? 1 : 2));
}

function scaled(v, base, ...units) {
  let n = 0;
  while (n < units.length - 1 && Math.abs(v) >= base - 0.5) { v /= base; n++; }
  return digits(v) + units[n];
}

function seconds(v) {
  const a = Math.abs(v);
  if (v === 0) return "0 s";
  if (a < 59.95) return scaled(v * 1e9, 1000, " ns", " µs", " ms", " s");
  const s = a < 3599.5 ? Math.round(a) : 60 * Math.round(a / 60), m = Math.floor(s / 60);
  return minus(v, (m >= 60 ? Math.floor(m / 60) + "h" : "") + (m % 60 ? m % 60 + "m" : "") + (s % 60 ? s % 60 + "s" : ""));
}

const ofSecond = { nanoseconds: 1e9, microseconds: 1e6, milliseconds: 1e3 };

function amount(v, unit) {
  if (ofSecond[unit]) return seconds(v / ofSecond[unit]);
  if (unit === "bytes") return scaled(v, 1024, " B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB");
  return scaled(v, 1000, "", "k", "M", "G", "T", "P", "E") + (unit && unit !== "count" ? " " + unit : "");
}

function percent(p) {
  const a = Math.abs(p);
  return minus(p, (a < 0.005 ? "0" : a.toFixed(a < 0.095 ? 2 : a < 99.95 ? 1 : 0)) + "%");
}

function share(part, whole) {
  const p = 100 * part / whole;
  if (!Number.isFinite(p)) return "–";
  if (p !== 0 && Math.abs(p) < 0.005) return p > 0 ? "<0.01%" : ">-0.01%";
  return percent(p);
}

function changed(now, was) {
  const ratio = now / was, p = 100 * (ratio - 1);
  if (Number.isNaN(ratio)) return "–";
  if (!Number.isFinite(ratio)) return "from 0";
  return ratio >= 9.995 ? "×" + digits(ratio) : (p < 0.005 ? "" : "+") + percent(p);
}

const signed = (text, v) => (v > 0 ? "+" : "") + text;
