// element makes an element. Text of the profile only ever becomes text: nothing
// here parses markup.
function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) e.addEventListener(name.slice(2), value);
    else if (value === true) e.setAttribute(name, "");
    else if (value !== false && value != null) e.setAttribute(name, value);
  }
  e.append(...children.flat().filter((c) => c != null));
  return e;
}

let groups = 0; // names of radio groups on a page

// choice is a row of radio buttons. It returns the element and a function that
// shows another value as chosen.
function choice(legend, options, value, onchoose) {
  const name = `flame-choice-${groups++}`, inputs = new Map();
  const labels = options.map(([key, text, title]) => {
    const input = element("input", { type: "radio", name, value: key, onchange: () => onchoose(key) });
    input.checked = key === value;
    inputs.set(key, input);
    return element("label", { title }, input, element("span", {}, text));
  });
  const e = element("fieldset", { class: "flame-choice" }, element("legend", {}, legend), ...labels);
  return { element: e, show: (key) => { inputs.get(key).checked = true; } };
}

// isDark says in which scheme the page is shown: the reader's choice, or else the
// system's.
function isDark() {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  return scheme === "dark" || scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches;
}

// onScheme calls f when the scheme changes.
function onScheme(f) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", f);
  document.addEventListener("scheme", f);
}

// colourOf is a CSS variable of the form light-dark(#…, #…) as a colour for a canvas.
const colourOf = (css, name) => css.getPropertyValue(name).match(/#[0-9a-f]+/gi)[isDark() ? 1 : 0];
