// The profile: columns as data.go wrote them, and what follows from them alone.
async function unpack(section) {
  const base64 = section.querySelector(".flame-data").textContent.trim();
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return decode(await new Response(stream).json());
}

function decode(d) {
  const nodes = d.up.length + 1, shades = d.light.tones.length / d.origins.length;
  const p = {
    ...d, nodes,
    types: d.types.map(([type, unit]) => ({ type, unit })),
    short: d.names.map(short),
    origin: d.tone.map((tone) => Math.floor(tone / shades)), // by frame
    originTone: (origin) => origin * shades,
    parent: new Int32Array(nodes).fill(-1),
    frame: new Int32Array(nodes),
    end: new Int32Array(d.stacks.length), // by stack: the node where it ends, ascending
    values: d.values.map((v) => Float64Array.from(v)),
    base: d.base?.map((v) => Float64Array.from(v)),
    class: d.class ?? [],
  };
  for (let node = 1; node < nodes; node++) {
    let at = node - 1;
    for (let up = d.up[node - 1]; up > 0; up--) at = p.parent[at];
    p.parent[node] = at;
    p.frame[node] = d.frame[node - 1];
  }
  d.stacks.reduce((node, step, i) => p.end[i] = node + step, 0);
  p.after = afterNodes(p.parent);
  p.outermost = outermost(p);
  return p;
}

// short is a name without the path before its package, as profile.ShortName.
function short(name) {
  const args = name.indexOf("[");
  if (args === 0) return name;
  const head = (args > 0 ? name.slice(0, args) : name).replace(versionOf, "$1$2$3$4");
  const end = args > 0 ? "[...]" + name.slice(Math.max(name.lastIndexOf("]"), args) + 1) : "";
  return head.slice(head.lastIndexOf("/") + 1).replaceAll("%2e", ".") + end;
}

const versionOf = /^(.+)\/v(?:[2-9]|[1-9][0-9]+)(\..*)?$|^(gopkg\.in\/.+?)(?:\.|%2e)v[0-9]+(\..*)?$/;

// afterNodes is by node of a preorder the first node that is not below it.
function afterNodes(parent) {
  const size = new Int32Array(parent.length).fill(1);
  for (let n = parent.length - 1; n > 0; n--) size[parent[n]] += size[n];
  return size.map((s, n) => s + n);
}

// outermost marks the nodes whose function is not among their callers too, so
// that a recursive call counts once.
function outermost(p) {
  const marks = new Uint8Array(p.nodes), open = new Uint32Array(p.names.length), path = [];
  for (let n = 0; n < p.nodes; n++) {
    while (path.length && path.at(-1) !== p.parent[n]) open[p.frame[path.pop()]]--;
    marks[n] = open[p.frame[n]]++ === 0 ? 1 : 0;
    path.push(n);
  }
  return marks;
}
