// Sorts the tables by a click on a column's head: the rows of each benchmark,
// and the benchmarks by their first row. Without it everything can be read.
(() => {
const number = (text) => {
  const t = text.trim().replace(/[<+]/g, "");
  if (t.startsWith("×")) return (parseFloat(t.slice(1)) - 1) * 100;
  if (t.startsWith("from 0")) return Infinity;
  const m = t.match(/^(-?[\d.]+(?:e-?\d+)?)(?:\s*([kMGTmµn]?)(i?)[sB]?\b)?/);
  if (!m) return NaN;
  const power = { n: -3, "µ": -2, m: -1, k: 1, K: 1, M: 2, G: 3, T: 4 }[m[2]] ?? 0;
  return parseFloat(m[1]) * (m[3] ? 1024 : 1000) ** power;
};
const compare = (a, b) => {
  const x = number(a), y = number(b);
  if (isNaN(x) || isNaN(y)) return isNaN(x) && isNaN(y) ? a.localeCompare(b) : isNaN(x) ? 1 : -1;
  return x - y;
};
for (const table of document.querySelectorAll(".sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (head.classList.contains("x")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((h) => h.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const text = (row) => row?.cells[column]?.textContent ?? "";
      const order = (a, b) => (up ? 1 : -1) * compare(text(a), text(b));
      const bodies = [...table.tBodies];
      for (const body of bodies) {
        body.append(...[...body.rows].slice(1).sort(order));
      }
      table.append(...bodies.sort((a, b) => order(a.rows[1], b.rows[1])));
    });
  });
}
})();
