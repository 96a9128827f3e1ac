// Figures for people, as number.go writes them.
const prefixes = {
  bytes: [1024, " B", " KiB", " MiB", " GiB", " TiB", " PiB"],
  nanoseconds: [1000, " ns", " µs", " ms", " s"],
  microseconds: [1000, " µs", " ms", " s"],
  milliseconds: [1000, " ms", " s"],
  count: [1000, "", "k", "M", "G", "T"],
};

function digits(v) {
  const a = Math.abs(v);
  if (a >= 1e15) return v.toPrecision(3).replace("-", "−");
  const places = a === Math.trunc(a) && a < 1000 || a >= 99.95 ? 0 : a >= 9.995 ? 1 : 2;
  return v.toFixed(places).replace("-", "−");
}

function amount(v, unit) {
  const [base, ...units] = prefixes[unit] ?? prefixes.count;
  let n = 0;
  while (n < units.length - 1 && Math.abs(v) >= base - 0.5) { v /= base; n++; }
  return digits(v) + units[n] + (prefixes[unit] || !unit ? "" : " " + unit);
}

function share(part, whole) {
  const p = 100 * part / whole;
  if (!Number.isFinite(p)) return "–";
  return p !== 0 && Math.abs(p) < 0.01 ? "<0.01 %" : digits(p) + " %";
}

const signed = (text, v) => (v > 0 ? "+" : "") + text;
