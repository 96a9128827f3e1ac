// The panel about the function chosen: its figures of every type and its
// heaviest lines, with their source where that is at hand. Without one, the
// heaviest lines of all.
function detailsPanel(graph, search) {
  const { p } = graph, panel = element("div", { class: "flame-panel flame-details" });

  function show() {
    const { frame } = graph.state;
    panel.replaceChildren(...(frame ? about(frame) : overview()));
    // The page around may have more to say of a function.
    if (frame) panel.dispatchEvent(new CustomEvent("flame-about", { bubbles: true, detail: p.names[frame] }));
  }

  function overview() {
    const { column } = graph.state, total = graph.view.stacks.total;
    const top = p.hot.frame.map((_, i) => i).filter((i) => p.hot.flat[i][column])
      .sort((a, b) => Math.abs(p.hot.flat[b][column]) - Math.abs(p.hot.flat[a][column])).slice(0, 14);
    const text = new Map(p.source.frame.map((f, i) => [`${f}:${p.source.line[i]}`, p.source.text[i]]));
    return [
      element("h3", {}, "Heaviest lines"),
      element("p", { class: "flame-soft" }, "Choose a box or a function for its figures, its callers and callees, and its lines."),
      element("ol", { class: "flame-lines" }, top.map((i) => {
        const f = p.hot.frame[i], at = `${baseName(p.files[p.file[f]])}:${p.hot.line[i]}`, code = text.get(`${f}:${p.hot.line[i]}`);
        return element("li", {}, element("button", { type: "button", onclick: () => graph.chooseFunction(f) },
          element("b", {}, share(p.hot.flat[i][column], total)), " ", element("span", {}, p.short[f]), " ", element("small", {}, at),
          code == null ? null : element("code", {}, code.trim())));
      })),
    ];
  }

  function about(frame) {
    const file = p.files[p.file[frame]], place = file && (p.line[frame] ? `${file}:${p.line[frame]}` : file);
    return [
      element("h3", { class: "flame-name" }, p.names[frame]),
      element("p", { class: "flame-soft" }, [p.origins[p.origin[frame]], place].filter(Boolean).join(" · ")),
      element("p", { class: "flame-actions" },
        action("Callers and callees", () => graph.set({ view: "sandwich", pivot: frame })),
        action("Search for it", () => search.set(`^${p.names[frame].replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)),
        action("Close", () => graph.choose(null))),
      figures(frame),
      ...lines(frame),
    ];
  }

  const action = (text, onclick) => element("button", { type: "button", onclick }, text);

  function figures(frame) {
    const rows = p.types.map(({ type, unit }, c) => {
      const of = graph.totals(c), was = p.base && graph.totals(c, "base");
      const cell = (now, before, whole) => element("td", { class: "n" },
        ...(was ? [`${amount(before, unit)} → ${amount(now, unit)}`] : [amount(now, unit), " ", element("small", {}, share(now, whole))]));
      return element("tr", {}, element("th", { scope: "row" }, type),
        cell(of.flat[frame], was?.flat[frame], of.total), cell(of.cum[frame], was?.cum[frame], of.total));
    });
    const head = element("tr", {}, element("td"), element("th", { scope: "col", class: "n" }, "Flat"), element("th", { scope: "col", class: "n" }, "Cum"));
    return element("table", { class: "flame-figures" }, element("thead", {}, head), element("tbody", {}, rows));
  }

  // lines shows source as a listing with gaps, figures beside the heavy lines.
  function lines(frame) {
    const { column } = graph.state, list = new Map();
    p.source.frame.forEach((f, i) => { if (f === frame) list.set(p.source.line[i], { text: p.source.text[i] }); });
    const atHand = list.size > 0;
    p.hot.frame.forEach((f, i) => {
      if (f !== frame) return;
      const line = list.get(p.hot.line[i]) ?? {};
      list.set(p.hot.line[i], Object.assign(line, { flat: p.hot.flat[i][column], cum: p.hot.cum[i][column] }));
    });
    if (!list.size) {
      const gone = p.base && !graph.totals(column).cum[frame];
      return [element("p", { class: "flame-soft" }, gone ? "It is only in the base, whose lines are not kept." : "None of its lines is among the heaviest.")];
    }
    const numbers = [...list.keys()].sort((a, b) => a - b), rows = [];
    let last = 0;
    for (const n of numbers) {
      const { text, flat, cum } = list.get(n);
      if (last && n > last + 1) rows.push(element("tr", { class: "flame-gap" }, element("td", { colspan: "4" }, "⋯")));
      last = n;
      const figure = (v) => element("td", { class: "n" }, v ? amount(v, graph.unit) : "");
      rows.push(element("tr", { class: flat || cum ? "flame-hot" : null }, figure(flat), figure(cum),
        element("td", { class: "n flame-soft" }, String(n)), element("td", {}, element("code", {}, text ?? ""))));
    }
    const head = element("tr", {}, ...["Flat", "Cum", "Line"].map((h) => element("th", { scope: "col", class: "n" }, h)),
      element("th", { scope: "col" }, atHand ? "Source" : ""));
    return [
      element("div", { class: "flame-scroll" }, element("table", { class: "flame-source" }, element("thead", {}, head), element("tbody", {}, rows))),
      ...(atHand ? [] : [element("p", { class: "flame-soft" }, "Its source was not at hand when the page was made: -C names its folder.")]),
    ];
  }

  graph.listen((what) => { if (what === "view" || what === "choice") show(); });
  show();
  return panel;
}

const baseName = (file) => file.slice(file.lastIndexOf("/") + 1);
