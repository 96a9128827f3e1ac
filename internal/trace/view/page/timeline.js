// Puts the picture into the page and listens to pointer, keys, buttons and the URL.
async function unpack() {
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent.trim()), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
}

function mount(p) {
  const picture = document.getElementById("picture"), status = document.getElementById("status"), item = document.getElementById("item");
  const canvas = document.createElement("canvas"), ctx = canvas.getContext("2d"), range = new Range(p.duration);
  const names = Object.fromEntries([...document.querySelectorAll(".legend i")].map((i) => [i.classList[1], i.parentElement.textContent]));
  let found = [], pending = false, drag = null, told = "";
  picture.replaceChildren(canvas);
  document.querySelector(".bar").hidden = false;

  function ink() {
    const all = {};
    for (const i of document.querySelectorAll(".legend i")) all[i.classList[1]] = getComputedStyle(i).backgroundColor;
    const css = (element, property) => getComputedStyle(element)[property];
    return Object.assign(all, { text: css(document.body, "color"), soft: css(item, "color"), edge: css(document.querySelector(".bar button"), "borderTopColor"), mark: all.assist });
  }

  function paint() {
    pending = false;
    const ratio = devicePixelRatio || 1, width = picture.clientWidth;
    if (!width) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(pictureHeight * ratio);
    canvas.style.height = pictureHeight + "px";
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, pictureHeight);
    ctx.font = "12px system-ui, sans-serif";
    const scale = width / (range.to - range.from);
    const s = { ctx, p, range, width, pixel: 1 / ratio, found: [], ink: ink(), x: (t) => (t - range.from) * scale };
    paintAxis(s);
    let top = 0;
    for (const lane of lanes) {
      top += gap;
      Object.assign(s, { top, height: lane.height });
      ctx.save();
      ctx.beginPath();
      ctx.rect(0, top, width, lane.height);
      ctx.clip();
      const note = lane.paint(s);
      ctx.restore();
      ctx.fillStyle = s.ink.text;
      ctx.fillText(lane.name + (note ? ", " + note : ""), 0, top - 6);
      top += lane.height;
    }
    if (drag) {
      ctx.globalAlpha = 0.25;
      ctx.fillStyle = s.ink.heap;
      ctx.fillRect(Math.min(drag.from, drag.to), gap, Math.abs(drag.to - drag.from), pictureHeight - gap - axis);
      ctx.globalAlpha = 1;
    }
    found = s.found;
  }

  function redraw() {
    if (pending) return;
    pending = true;
    requestAnimationFrame(paint);
  }

  function tell() {
    const all = sums(p, range), capacity = (range.to - range.from) * Math.max(p.procs, 1);
    const parts = p.classes.filter((c) => all[c] > 0).map((c) => `${names[c]} ${(all[c] / capacity * 100).toFixed(1)}%`);
    status.textContent = `${seconds(range.from)} to ${seconds(range.to)} (${seconds(range.to - range.from)}): ${parts.join(", ") || "nothing ran"}`;
    const whole = range.from === 0 && range.to === range.duration;
    const state = whole ? "" : `${Math.round(range.from)}-${Math.round(range.to)}`;
    if (state !== told) document.dispatchEvent(new CustomEvent("page-state", { detail: told = state }));
  }

  const at = (event) => event.clientX - canvas.getBoundingClientRect().left;
  const time = (x) => range.from + x / picture.clientWidth * (range.to - range.from);
  function under(event) {
    const x = at(event), y = event.clientY - canvas.getBoundingClientRect().top;
    return found.findLast((f) => x >= f.from - 2 && x <= f.to + 2 && y >= f.top && y <= f.bottom);
  }

  canvas.addEventListener("pointerdown", (event) => {
    if (event.button || event.pointerType === "touch") return;
    drag = { from: at(event), to: at(event) };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (drag) drag.to = at(event);
    const hit = under(event);
    if (hit) item.textContent = hit.tell();
    if (drag) redraw();
  });
  canvas.addEventListener("pointerup", () => {
    const done = drag;
    drag = null;
    if (done && Math.abs(done.to - done.from) > 5) range.set(time(Math.min(done.from, done.to)), time(Math.max(done.from, done.to)));
    else redraw();
  });
  canvas.addEventListener("click", (event) => {
    const hit = under(event);
    if (hit) item.textContent = hit.tell();
  });
  canvas.addEventListener("dblclick", (event) => {
    const hit = under(event);
    if (hit) range.show(hit.e.start_ns, hit.e.start_ns + hit.e.duration_ns); else range.zoom(0.4, time(at(event)));
  });
  canvas.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) range.zoom(Math.exp(event.deltaY / 200), time(at(event)));
    else if (event.deltaX && range.to - range.from < range.duration) range.pan(event.deltaX / picture.clientWidth);
    else return;
    event.preventDefault();
  }, { passive: false });

  // step goes to the collection after or before the middle of the picture.
  function step(by) {
    const middle = (range.from + range.to) / 2, centre = (c) => c.start_ns + c.duration_ns / 2, slack = 1;
    const c = by > 0 ? p.cycles.find((c) => centre(c) > middle + slack) : p.cycles.findLast((c) => centre(c) < middle - slack);
    if (c) range.show(c.start_ns, c.start_ns + c.duration_ns);
  }
  const deeds = {
    in: () => range.zoom(0.5), out: () => range.zoom(2), all: () => range.all(),
    next: () => step(1), previous: () => step(-1), left: () => range.pan(-0.2), right: () => range.pan(0.2),
  };
  const keys = { "+": "in", "=": "in", ArrowUp: "in", "-": "out", "−": "out", ArrowDown: "out", ArrowLeft: "left", ArrowRight: "right", Escape: "all", Home: "all", n: "next", p: "previous" };
  picture.addEventListener("keydown", (event) => {
    const deed = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!deed || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    deeds[deed]();
  });
  for (const button of document.querySelectorAll("[data-do]")) button.addEventListener("click", deeds[button.dataset.do]);
  for (const button of document.querySelectorAll(".show")) button.addEventListener("click", () => {
    range.show(+button.dataset.from, +button.dataset.to);
    picture.scrollIntoView({ block: "nearest" });
    picture.focus({ preventScroll: true });
  });

  document.addEventListener("scheme", redraw);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  new ResizeObserver(redraw).observe(picture);

  function follow(state) {
    const m = /^(\d+)-(\d+)$/.exec(state);
    if (m && +m[2] > +m[1]) range.set(+m[1], +m[2]); else range.all();
  }
  range.listen(redraw);
  range.listen(tell);
  document.addEventListener("page-restore", ({ detail }) => follow(detail));
  follow(location.hash.slice(1)); // the address was told before the data was unpacked
  picture.timeline = { range, paint, found: () => found };
  picture.dataset.ready = "";
}

unpack().then(mount).catch((err) => {
  console.error(err);
  document.querySelector(".wait").textContent = `The timeline cannot be shown: ${err.message}. A browser from 2023 or later is needed.`;
});
