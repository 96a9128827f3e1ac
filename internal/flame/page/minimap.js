// The overview strip: the whole view small, with a window on what is shown. A
// drag chooses a range, a click moves the window.
function minimap(graph, look, fill) {
  const canvas = element("canvas", { class: "flame-map", title: "The whole profile: drag to choose a part, double-click for all" });
  const ctx = canvas.getContext("2d"), whole = document.createElement("canvas");
  let stale = true, drag = null;

  // draw paints all rows once; the window is laid over a copy of it.
  function draw(width, height, ratio) {
    whole.width = canvas.width;
    whole.height = canvas.height;
    const c = whole.getContext("2d"), { view } = graph, h = Math.min(5, height / view.rows);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    for (const part of view.parts) {
      const { l } = part;
      for (let depth = part.first; depth < l.depth; depth++) {
        const y = part.row(depth) * h, scale = width / l.whole;
        let drawn = -1; // pixels up to here are taken
        for (let i = l.rows[depth]; i < l.rows[depth + 1]; i++) {
          const node = l.order[i], from = l.x[node] * scale, to = from + l.weight[node] * scale;
          if (to < drawn + 0.5) continue;
          const hit = graph.matched?.[part.tree.frame[node]] === 1;
          c.globalAlpha = graph.matched && !hit ? 0.4 : 1;
          c.fillStyle = hit ? look.ink.match : fill(part, node);
          c.fillRect(Math.max(from, drawn), y, Math.max(0.5, to - Math.max(from, drawn)), Math.max(0.5, h - (h > 3 ? 0.5 : 0)));
          drawn = Math.max(drawn, to);
        }
      }
    }
    stale = false;
  }

  function paint() {
    const ratio = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !look.theme) return;
    if (canvas.width !== Math.round(width * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      stale = true;
    }
    if (stale) draw(width, height, ratio);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.drawImage(whole, 0, 0);
    const [from, to] = drag?.range ?? graph.goal(), css = getComputedStyle(canvas);
    if (to - from >= 1) return;
    ctx.globalAlpha = 0.72;
    ctx.fillStyle = colourOf(css, "--paper");
    ctx.fillRect(0, 0, from * canvas.width, canvas.height);
    ctx.fillRect(to * canvas.width, 0, canvas.width, canvas.height);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = colourOf(css, "--link");
    ctx.lineWidth = 1.5 * ratio;
    ctx.strokeRect(from * canvas.width + 1, 1, Math.max(2, (to - from) * canvas.width - 2), canvas.height - 2);
  }

  const at = (event) => {
    const r = canvas.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - r.left) / r.width));
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    drag = { from: at(event), range: null };
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const x = at(event);
    if (Math.abs(x - drag.from) * canvas.clientWidth > 4) drag.range = [Math.min(x, drag.from), Math.max(x, drag.from)];
    paint();
  });
  canvas.addEventListener("pointerup", () => {
    const [from, to] = graph.goal(), { range, from: x } = drag;
    drag = null;
    if (range) graph.pan(...range);
    else if (to - from < 1) graph.pan(x - (to - from) / 2, x + (to - from) / 2);
  });
  canvas.addEventListener("pointercancel", () => { drag = null; paint(); });
  canvas.addEventListener("dblclick", () => graph.zoom(null));
  new ResizeObserver(paint).observe(canvas);
  onScheme(() => { stale = true; requestAnimationFrame(paint); });
  graph.listen((what) => {
    if (what === "view" || what === "search") stale = true;
    if (what !== "choice") requestAnimationFrame(paint);
  });
  return { canvas, paint };
}
