// What a page is asked by rules.go, in the page. Each rule returns what breaks it.
(() => {
  const name = (e) => e.tagName.toLowerCase() + (e.id && "#" + e.id) + [...e.classList].map((c) => "." + c).join("") +
    " " + JSON.stringify((e.textContent || e.getAttribute("aria-label") || "").trim().slice(0, 40));
  const seen = (e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  // Any colour as red, green, blue and alpha, by letting a canvas paint it.
  const brush = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  const colour = (css) => {
    if (!known.has(css)) {
      brush.clearRect(0, 0, 1, 1);
      brush.fillStyle = css;
      brush.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
      known.set(css, [r, g, b, a / 255]);
    }
    return known.get(css);
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  // The page's own ground, where nothing paints one.
  const ground = () => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "Canvas";
    const css = getComputedStyle(probe).color;
    probe.remove();
    return colour(css);
  };
  const behind = (e, paper) => {
    const layers = [];
    for (; e; e = e.parentElement) layers.unshift(colour(getComputedStyle(e).backgroundColor));
    return layers.reduce((below, top) => over(top, below), paper);
  };
  // Relative luminance and contrast as WCAG 2.2 defines them.
  const luminance = (c) => {
    const [r, g, b] = c.map((v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };

  return {
    // Elements that make the page wider than its window.
    wide() {
      const width = document.documentElement.clientWidth;
      if (document.documentElement.scrollWidth <= width) return [];
      const boxed = (e) => e && (getComputedStyle(e).overflowX !== "visible" || boxed(e.parentElement));
      return ["the page is " + document.documentElement.scrollWidth + " of " + width + " pixels wide",
        ...[...document.body.querySelectorAll("*")].filter((e) => seen(e) && e.getBoundingClientRect().right > width + 0.5 && !boxed(e.parentElement)).map(name)];
    },

    // Boxes that scroll, but not for a keyboard: it can focus neither them nor
    // anything in them.
    stuck: () => [...document.body.querySelectorAll("*")].filter((e) => seen(e) && e.clientWidth > 1 &&
      ![e, ...e.querySelectorAll("*")].some((f) => f.tabIndex >= 0) &&
      (e.scrollWidth > e.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(e).overflowX) ||
       e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY))).map(name),

    // Text with a contrast below least. On paper there are no backgrounds.
    faint(least, paper) {
      const faint = new Map(), canvas = paper ? [255, 255, 255, 1] : ground();
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const e = text.parentElement;
        if (!text.data.trim() || !e.checkVisibility({ visibilityProperty: true })) continue;
        range.selectNodeContents(text);
        const r = range.getBoundingClientRect();
        if (r.width <= 1 || r.height <= 1 || getComputedStyle(e).clipPath !== "none") continue;
        const back = paper ? canvas : behind(e, canvas), style = getComputedStyle(e);
        const ink = [...colour(e instanceof SVGElement ? style.fill : style.color)];
        for (let a = e; a; a = a.parentElement) ink[3] *= getComputedStyle(a).opacity;
        const c = contrast(over(ink, back), back);
        if (c < least) faint.set(style.color + back, c.toFixed(2) + ": " + name(e));
      }
      return [...faint.values()];
    },

    // Numbers each place where Tab should stop, and returns what stands there.
    stops() {
      const stops = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, iframe, [tabindex]")].filter((e) =>
        e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true }) && e.getBoundingClientRect().width > 0 &&
        !(e.type === "radio" && !e.checked)); // arrows lead through a group
      stops.forEach((e, i) => e.dataset.stop = i);
      return stops.map(name);
    },

    // Where the focus is: a number of stops, or -1, and whether one can see it.
    focus() {
      const e = document.activeElement;
      const ring = (e) => e && getComputedStyle(e).outlineStyle !== "none" && parseFloat(getComputedStyle(e).outlineWidth) > 0;
      const r = e.getBoundingClientRect(), inWindow = r.bottom > 0 && r.top < innerHeight && r.right > 0 && r.left < innerWidth;
      return {
        Stop: +(e.dataset.stop ?? -1), Body: e === document.body,
        Shown: inWindow && (e.tagName === "IFRAME" || (e.type === "radio" ? ring(e.labels[0]) || ring(e.nextElementSibling) : ring(e))),
      };
    },

    // Contents of details that cannot be read.
    folded: () => [...document.querySelectorAll("details")].filter((d) => d.checkVisibility() && !d.lastElementChild.checkVisibility({ contentVisibilityAuto: true })).map((d) => name(d.firstElementChild)),

    // What a hostile name has become.
    harm: () => [...document.querySelectorAll("[data-evil]")].map(name).concat(
      (document.title + document.body.innerText).match(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g)?.map(escape) ?? []),
  };
})()
