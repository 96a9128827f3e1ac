// The search field: a regular expression over the names of functions. Case
// counts if the expression has capital letters.
function searchField(graph) {
  const input = element("input", {
    type: "search", class: "flame-search", placeholder: "Search functions: a regular expression", "aria-label": "Search functions by regular expression",
    spellcheck: "false", autocapitalize: "off", autocomplete: "off",
  });
  const result = element("output", { class: "flame-found", "aria-live": "polite" });
  let wait = 0;

  function run() {
    clearTimeout(wait);
    const text = input.value;
    let pattern = null;
    try {
      if (text) pattern = new RegExp(text, /[A-Z]/.test(text.replace(/\\./g, "")) ? "" : "i");
    } catch (err) {
      input.setAttribute("aria-invalid", "true");
      result.textContent = `not a regular expression: ${err.message.replace(/^Invalid regular expression: /, "")}`;
      return;
    }
    input.removeAttribute("aria-invalid");
    graph.search(pattern);
  }

  function tell() {
    if (!graph.matched) { result.textContent = ""; return; }
    const { part, whole, functions } = graph.found();
    result.textContent = functions ? `${share(part, whole)} in ${functions} function${functions > 1 ? "s" : ""}` : "no function matches";
  }

  input.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(run, 80); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") run();
    if (event.key === "Escape") { input.value = ""; run(); }
  });
  graph.listen((what) => { if (what === "search" || what === "view") tell(); });
  return {
    input, result,
    set(text) { input.value = text; run(); },
  };
}
