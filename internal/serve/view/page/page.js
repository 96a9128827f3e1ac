
// A window is chosen by dragging over a curve. The links above the curves choose the
// usual ones without a pointer.
for (const curve of document.querySelectorAll(".curve")) {
  const svg = curve.querySelector("svg"), from = Number(curve.dataset.from), to = Number(curve.dataset.to);
  const width = svg.viewBox.baseVal.width, height = svg.viewBox.baseVal.height;
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  let start = null;
  const at = (e) => {
    const box = svg.getBoundingClientRect();
    return Math.min(1, Math.max(0, (e.clientX - box.left) / box.width));
  };
  svg.addEventListener("pointerdown", (e) => {
    if (e.button !== 0 || e.pointerType === "touch") return;
    start = at(e);
    svg.setPointerCapture(e.pointerId);
    svg.append(mark);
  });
  svg.addEventListener("pointermove", (e) => {
    if (start == null) return;
    const now = at(e);
    mark.setAttribute("x", Math.min(start, now) * width);
    mark.setAttribute("width", Math.abs(now - start) * width);
    mark.setAttribute("height", height);
  });
  svg.addEventListener("pointerup", (e) => {
    if (start == null) return;
    const low = Math.min(start, at(e)), high = Math.max(start, at(e));
    start = null;
    mark.remove();
    if (high - low < 0.01) return;
    const time = (share) => new Date(1000 * (from + share * (to - from))).toISOString().replace(/\.\d+/, "");
    const query = new URLSearchParams(location.search);
    query.delete("last");
    query.set("from", time(low));
    query.set("to", time(high));
    location.search = query;
  });
}
