// The canvas with the boxes, in a box that scrolls, and what the mouse does.
function graphCanvas(graph) {
  const canvas = element("canvas"), tip = element("div", { class: "flame-tip", hidden: true });
  const sizer = element("div", { class: "flame-sizer" }, canvas);
  const scroller = element("div", {
    class: "flame-scroller", tabindex: "0", role: "application", "aria-roledescription": "flame graph",
    "aria-label": "Flame graph: arrow keys move, Enter zooms, Escape goes back, S opens callers and callees, / searches",
  }, sizer);
  const ctx = canvas.getContext("2d"), { p } = graph;
  const look = { width: 0, height: 0, hover: null, pending: false, from: null, began: 0, reveal: false };

  function restyle() {
    const css = getComputedStyle(scroller), of = (name) => css.getPropertyValue(name).trim();
    const dark = isDark();
    look.theme = dark ? p.dark : p.light;
    look.ink = { text: dark ? "#f1f3f5" : "#1b2027", match: colourOf(css, "--match"), matchText: "#fff" };
    look.font = `12px ${of("--mono")}`;
    ctx.font = look.font;
    look.sign = ctx.measureText("0123456789").width / 10;
    look.hatch = hatching(ctx, look.ink.text);
    look.root = dark ? "#2b3038" : "#e3e6ea";
  }

  function fill(part, node) {
    const frame = part.tree.frame[node], { theme } = look;
    if (frame === 0) return look.root;
    switch (graph.state.colour) {
      case "change": return theme.changes[change(part.after[node], part.before[node])];
      case "cost": return theme.classes[part.class[node]];
    }
    return theme.tones[p.tone[frame]];
  }

  function figure(part, node) {
    const { total } = graph.view.stacks;
    if (!part.before) return share(part.after[node], total);
    const d = part.after[node] - part.before[node];
    return d ? signed(amount(d, graph.unit), d) : "";
  }

  // path tells which boxes are callers of the one zoomed into.
  function path() {
    const box = graph.zoomed;
    if (!box?.part) return null;
    const nodes = new Set();
    for (let n = box.part.tree.parent[box.node]; n >= 0; n = box.part.tree.parent[n]) nodes.add(n);
    return { has: (part, node) => part === box.part && nodes.has(node) };
  }

  function paint() {
    look.pending = false;
    const ratio = devicePixelRatio || 1, width = scroller.clientWidth, height = scroller.clientHeight;
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
      canvas.style.width = width + "px";
      canvas.style.height = height + "px";
    }
    Object.assign(look, { width, height });
    glide();
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintBoxes(ctx, {
      ...look, p, view: graph.view, range: graph.range, top: scroller.scrollTop, fill, figure, zoomed: path(),
      matched: graph.matched, chosen: graph.box, frame: graph.state.frame,
    });
  }

  // glide moves the range towards where it is to be, for the eye to follow.
  function glide() {
    const goal = graph.goal(), [from, to] = graph.range;
    if (from === goal[0] && to === goal[1]) { look.from = null; return; }
    if (!look.from || look.goal[0] !== goal[0] || look.goal[1] !== goal[1]) {
      Object.assign(look, { from: [from, to], goal, began: performance.now() });
    }
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const t = still ? 1 : Math.min(1, (performance.now() - look.began) / 140), eased = 1 - (1 - t) ** 3;
    graph.range = t === 1 ? goal : look.from.map((v, i) => v + (goal[i] - v) * eased);
    if (t < 1) redraw(); else look.from = null;
  }

  function redraw() {
    if (look.pending) return;
    look.pending = true;
    requestAnimationFrame(paint);
  }

  function resize() {
    sizer.style.height = graph.view.rows * rowHeight + "px";
    redraw();
  }

  // reveal scrolls to the box chosen.
  function reveal(row) {
    const top = row * rowHeight, { scrollTop, clientHeight } = scroller;
    if (top < scrollTop) scroller.scrollTop = top;
    else if (top + rowHeight > scrollTop + clientHeight) scroller.scrollTop = top + rowHeight - clientHeight;
  }

  // under is the box at a point of the window.
  function under({ clientX, clientY }) {
    const r = canvas.getBoundingClientRect(), [from, to] = graph.range;
    const row = Math.floor((clientY - r.top + scroller.scrollTop) / rowHeight);
    return boxAt(graph.view, row, from + (clientX - r.left) / r.width * (to - from));
  }

  canvas.addEventListener("pointermove", (event) => {
    const box = event.pointerType === "touch" ? null : under(event);
    if (box?.part !== look.hover?.part || box?.node !== look.hover?.node) {
      look.hover = box;
      if (box) tip.replaceChildren(...describe(graph, box));
      redraw();
    }
    tip.hidden = !box;
    if (box) placeTip(tip, event);
  });
  canvas.addEventListener("pointerleave", () => { look.hover = null; tip.hidden = true; redraw(); });
  canvas.addEventListener("click", (event) => {
    const box = under(event);
    if (!box) return;
    graph.choose(box);
    graph.zoom(box);
  });
  canvas.addEventListener("wheel", (event) => {
    const [from, to] = graph.range, w = to - from, r = canvas.getBoundingClientRect();
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const at = from + (event.clientX - r.left) / r.width * w, factor = Math.exp(event.deltaY / 200);
      graph.pan(at - (at - from) * factor, at + (to - at) * factor);
    } else if (event.deltaX && w < 1) {
      event.preventDefault();
      graph.pan(from + event.deltaX / r.width * w, to + event.deltaX / r.width * w);
    }
  }, { passive: false });
  scroller.addEventListener("scroll", redraw, { passive: true });
  new ResizeObserver(redraw).observe(scroller);
  onScheme(() => { restyle(); redraw(); });

  graph.listen((what) => {
    if (what === "view") {
      look.hover = null;
      tip.hidden = true;
      resize();
      const focus = graph.state.view === "callers" ? graph.view.rows - 1 : graph.view.parts[0].origin;
      if (graph.box) reveal(graph.box.row);
      else scroller.scrollTop = graph.state.view === "callers" ? 1e9 : Math.max(0, (focus - 8) * rowHeight);
    }
    if (what === "choice" && graph.box) reveal(graph.box.row);
    redraw();
  });
  return { scroller, tip, canvas, look, paint, fill, under, start: () => { restyle(); resize(); } };
}

function placeTip(tip, { clientX, clientY }) {
  const { width, height } = tip.getBoundingClientRect(), gap = 14;
  const x = clientX + gap + width > innerWidth ? Math.max(4, clientX - gap - width) : clientX + gap;
  const y = clientY + gap + height > innerHeight ? clientY - gap - height : clientY + gap;
  tip.style.transform = `translate(${x}px, ${y}px)`;
}
