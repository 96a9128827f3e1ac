// What can be chosen about the whole graph.
function controls(graph) {
  const { p, state } = graph, all = [];
  const add = (key, legend, options, plain) => {
    if (options.length < 2) return null;
    const c = choice(legend, options, state[key], (value) => graph.set({ [key]: value }));
    c.element.classList.toggle("flame-plain", Boolean(plain)); // says what it is without its legend
    all.push([key, c]);
    return c.element;
  };
  const bar = element("div", { class: "flame-bar" },
    add("column", "Sample type", p.types.map(({ type }, i) => [i, type]), true),
    add("view", "View", [
      ["flame", "Flame", "From the program's start down to what was running"],
      ["callers", "Callers", "What was running at the bottom, its callers above"],
      ["sandwich", "Sandwich", "One function between all its callers and all its callees"],
    ], true),
    add("colour", "Colour", [
      ...(p.base ? [["change", "Change", "Red is more than before, blue is less"]] : []),
      ...(p.class.length ? [["cost", "Cost", "What the CPU did: the cost class that has most of a box"]] : []),
      ["package", "Package", "Own code is warm, dependencies blue, the standard library green, the runtime grey"],
    ]),
    p.base && add("width", "Width", [
      ["either", "Either", "The larger of before and after: what is gone keeps its place"],
      ["after", "After"], ["before", "Before"],
      ["gone", "Gone", "Only stacks that the base alone has"], ["new", "New", "Only stacks that the base has not"],
    ]),
    p.base && add("normalized", "Base", [[false, "As it is"], [true, "Scaled", "Scaled to the total after: for recordings of different lengths"]]));
  graph.listen((what) => { if (what === "view") for (const [key, c] of all) c.show(state[key]); });
  return bar;
}

// summary says what is shown and how much it is, as in svg.go.
function summary(graph) {
  const { p, state, unit } = graph, { after, before, total, totalBefore } = graph.view.stacks;
  const { type } = p.types[state.column], stacks = after.reduce((n, v, s) => n + (v || before?.[s] ? 1 : 0), 0);
  const around = state.view === "sandwich" ? `; ${p.short[state.pivot]} between its callers and its callees` : "";
  if (!before) return `${type}: ${amount(total, unit)} in ${stacks} stacks${around}`;
  const d = total - totalBefore, change = totalBefore ? ` (${changed(total, totalBefore)})` : "";
  return `${type}: ${amount(totalBefore, unit)} before${state.normalized ? ", scaled" : ""}, ${amount(total, unit)} after, ` +
    `${signed(amount(d, unit), d)}${change}; ${stacks} stacks${around}`;
}

// legend says what the colours mean, with the share of each.
function legend(graph) {
  const list = element("ul", { class: "flame-legend" }), { p } = graph;
  const item = (light, dark, ...text) => {
    const i = element("i", { class: "flame-swatch" });
    i.style.setProperty("--light", light);
    i.style.setProperty("--dark", dark);
    return element("li", {}, i, ...text);
  };
  function shares(of, names, colours) {
    const part = new Float64Array(names.length), { weight } = graph.view.stacks;
    let whole = 0;
    weight.forEach((w, s) => { whole += w; part[of(s)] += w; });
    return names.map((name, i) => [name, part[i], i]).filter(([, v]) => v > 0)
      .map(([name, v, i]) => item(...colours(i), name, " ", element("b", {}, share(v, whole))));
  }
  function show() {
    const { colour, width } = graph.state, { after, before, weight } = graph.view.stacks;
    if (colour === "cost") {
      list.replaceChildren(...shares((s) => p.class[s], p.classes, (i) => [p.light.classes[i], p.dark.classes[i]]));
    } else if (colour === "package") {
      const of = (s) => p.end[s] ? p.origin[p.frame[p.end[s]]] : p.origins.length - 1;
      list.replaceChildren(...shares(of, p.origins, (i) => [p.light.tones[p.originTone(i)], p.dark.tones[p.originTone(i)]]));
    } else {
      let gone = 0, left = 0;
      after.forEach((a, s) => { if (a === 0 && before[s] !== 0) { gone++; left += before[s]; } });
      const step = (i, text) => item(p.light.changes[i], p.dark.changes[i], text);
      list.replaceChildren(step(8, "more"), step(6, "a little more"), step(4, "the same"), step(2, "a little less"), step(0, "less"),
        element("li", {}, element("i", { class: "flame-swatch flame-gone" }), `gone: ${gone} stacks, ${amount(left, graph.unit)}`));
    }
    const whole = weight.reduce((a, b) => a + b, 0);
    if (!whole) list.replaceChildren(element("li", {}, width === "gone" ? "No stack is gone." : width === "new" ? "No stack is new."
      : `Nothing was recorded of ${p.types[graph.state.column].type}; choose another sample type.`));
  }
  graph.listen((what) => { if (what === "view") show(); });
  show();
  return list;
}
