package survey

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/heapwright/heapwright/internal/config"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/termtext"
)

// WriteConfig writes a heapwright.toml with the results of a survey. The keys that the
// user may want next stand in it as comments.
func (m *Module) WriteConfig(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Settings of heapwright for %s. Each key sets the flag of the same\n", termtext.Harmless(m.Path))
	b.WriteString("# meaning; a flag on the command line wins. Paths are relative to this file.\n")
	fmt.Fprintf(&b, "version = %d\n\n[target]\n", config.Version)
	m.target(&b)
	b.WriteString(`
[experiment]
# modes = ["default", "GOGC=400"] # of compare; "heapwright modes" lists all
`)
	switch limits := m.sizes(); len(limits) {
	case 0:
		b.WriteString("# max-rss = \"512MiB\" # tune recommends nothing that takes more\n")
	case 1:
		fmt.Fprintf(&b, "max-rss = %s # the limit in %s; tune recommends nothing that takes more\n", quote(limits[0]),
			termtext.Harmless(m.Limits[0].Place))
	default:
		for _, l := range m.Limits {
			fmt.Fprintf(&b, "# max-rss = %s # the limit in %s\n", quote(l.Size), termtext.Harmless(l.Place))
		}
	}
	b.WriteString(`
[budget]
# tune = "5m"
# diagnose = "2m"

[rates]
# What a core (a vCPU) and a GiB of memory cost for an hour: AWS Fargate,
# Linux/x86, us-east-1, on demand. With instances, tune shows the saving.
# core-hour = 0.04048
# gib-hour = 0.004445
# instances = 10
`)
	_, err := io.WriteString(w, b.String())
	return err
}

// target writes the keys of the target. If there are benchmarks, those are the target, unless
// the module is a service. Otherwise it is the likeliest main package. The keys of the other
// target are there as comments, so that users only have to remove a "#".
func (m *Module) target(b *strings.Builder) {
	packages := ""
	switch len(m.Benchmarks) {
	case 0:
	case 1:
		packages = fmt.Sprintf("packages = [%s]\n", quote(m.Benchmarks[0].Dir))
	default:
		packages = "packages = [\"./...\"]\n"
	}

	// off comments out the keys of the main package. Later it comments out the server's
	// keys if its URL is not known.
	off := ""
	switch {
	case packages == "":
	case m.isService():
		fmt.Fprintf(b, "# To measure the benchmarks instead of the service:\n# %s", packages)
	default:
		b.WriteString(packages)
		b.WriteString("# bench = \"Decode\" # only the benchmarks that match\n")
		off = "# "
	}

	// The likeliest main package gets a key, and some others a comment each.
	if len(m.Mains) == 0 {
		if off == "" {
			b.WriteString("# packages = [\"./...\"] # once there are benchmarks\n")
		}
		return
	}
	if off != "" {
		b.WriteString("# To measure the program instead of its benchmarks:\n")
	}
	p := m.Mains[0]
	for _, other := range m.Mains[1:min(len(m.Mains), 6)] {
		fmt.Fprintf(b, "# main = %s%s\n", quote(other.Dir), other.remark())
	}
	fmt.Fprintf(b, "%smain = %s\n", off, quote(p.Dir))
	if p.Server == "" {
		b.WriteString("# args = [\"-file\", \"big.csv\"] # give it work for some seconds\n")
		return
	}

	// Every run of a server needs a free port.
	switch {
	case p.Variable != "":
		fmt.Fprintf(b, "# It listens by a variable: set %s in the environment of heapwright.\n",
			termtext.Harmless(p.Variable))
	case p.Args != nil:
		fmt.Fprintf(b, "%sargs = [%s]\n", off, list(p.Args))
	default:
		b.WriteString("# args = [\"-addr\", \"127.0.0.1:{port}\"] # so that it listens on a free port\n")
	}

	// The last part is the request that the load sends.
	url := p.URL
	if url == "" {
		url = "http://127.0.0.1:{port}/"
		off = "# "
	}
	fmt.Fprintf(b, "\n%s[server]\n", off)
	if others := p.others(); others != "" {
		fmt.Fprintf(b, "# The source also registers %s.\n", others)
	}
	fmt.Fprintf(b, "%surl = %s\n", off, quote(url))
	switch {
	case p.GRPC != "":
		fmt.Fprintf(b, "%sgrpc = %s\n", off, quote(p.GRPC))
		if p.Proto != "" {
			fmt.Fprintf(b, "%sproto = %s\n", off, quote(p.Proto))
		}
		b.WriteString("# With [load] data = \"message.json\": the message to send.\n")
	case p.Server == "gRPC":
		b.WriteString("# grpc = \"package.Service/Method\" # asked by reflection, or: proto = \"service.proto\"\n")
	}
	b.WriteString(
		"\n# [load]\n# rate = 200 # requests per second; chosen by heapwright if not given\n# shape = \"storm\"\n")
}

// manyBenchmarks is the number above which benchmarks are of a program's parts, and
// the program says more.
const manyBenchmarks = 50

// isService reports whether the module is a server that can be loaded, whose
// benchmarks are too many to stand for it.
func (m *Module) isService() bool {
	n := 0
	for _, b := range m.Benchmarks {
		n += b.Count
	}
	return n > manyBenchmarks && len(m.Mains) > 0 && m.Mains[0].ready() && m.rank(m.Mains[0]) <= 1
}

// remark names the other settings of a server that speaks gRPC.
func (s Main) remark() string {
	if s.GRPC == "" {
		return ""
	}
	proto := ""
	if s.Proto != "" {
		proto = " and proto = " + quote(s.Proto)
	}
	return fmt.Sprintf(" # with grpc = %s%s in [server]", quote(s.GRPC), proto)
}

// list is the items of a TOML list.
func list(all []string) string {
	var quoted []string
	for _, s := range all {
		quoted = append(quoted, quote(s))
	}
	return strings.Join(quoted, ", ")
}

// quote returns a TOML basic string. Names of folders come with the repository, and
// TOML has fewer escapes than Go.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\U%08X", r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// sizes returns the distinct limits.
func (m *Module) sizes() []string {
	var all []string
	for _, l := range m.Limits {
		if len(all) == 0 || all[0] != l.Size {
			all = append(all, l.Size)
		}
	}
	return all
}

// WriteJSON writes the module as JSON.
func (m *Module) WriteJSON(w io.Writer) error { return termtext.JSON(w, m) }

// WriteText lists the results, and the command to run next.
func (m *Module) WriteText(w io.Writer, file string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n", termtext.Harmless(m.Path))
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "  %-11s %s\n", name, termtext.Harmless(fmt.Sprintf(format, args...)))
	}
	total, shown := 0, []string{}
	for i, p := range m.Benchmarks {
		total += p.Count
		if i < 5 {
			shown = append(shown, fmt.Sprintf("%s (%d)", p.Dir, p.Count))
		} else if i == 5 {
			shown = append(shown, "…")
		}
	}
	if total == 0 {
		row("benchmarks", "none")
	} else {
		row("benchmarks", "%d: %s", total, strings.Join(shown, ", "))
	}
	for i, p := range m.Mains {
		switch {
		case i == 5:
			row("", "… and %d more main packages", len(m.Mains)-i)
		case i > 5:
		case p.Server == "":
			row("command", "%s", p.Dir)
		case p.Args != nil || p.Variable != "":
			row("server", "%s, %s, listens by %s%s", p.Dir, p.Server, p.Variable+strings.Join(p.Args, " "), p.called())
		case p.URL != "":
			row("server", "%s, %s, listens on %s", p.Dir, p.Server, p.URL)
		default:
			row("server", "%s, %s; say how it takes its port with args in %s", p.Dir, p.Server, config.Name)
		}
	}
	for _, place := range m.Pprof {
		row("profiles", "%s imports net/http/pprof", place)
	}
	for _, l := range m.Limits {
		row("limit", "%s in %s", l.Size, l.Place)
	}
	fmt.Fprintf(&b, "\nwrote %s. Run next:\n\n", termtext.Harmless(file))
	m.next(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// next lists the commands that make sense now.
func (m *Module) next(b *strings.Builder) {
	command := func(line, does string) { fmt.Fprintf(b, "  %-44s %s\n", termtext.Harmless(line), does) }
	set := ""
	if len(m.Mains) > 0 && m.Mains[0].Variable != "" && (len(m.Benchmarks) == 0 || m.isService()) {
		set = m.Mains[0].Variable + " "
	}
	switch {
	case len(m.Benchmarks) > 0, len(m.Mains) > 0 && m.Mains[0].ready():
		command(set+"heapwright diagnose", "where CPU and memory go, and what to change")
		command(set+"heapwright tune", "which setting saves CPU, proven")
	case len(m.Mains) > 0:
		fmt.Fprintf(b, "Complete the target in %s first (%s), then:\n\n", config.Name, m.Mains[0].missing())
		command("heapwright diagnose", "where CPU and memory go, and what to change")
	default:
		b.WriteString(
			"There is nothing to run. Write a benchmark, or take profiles of a program that uses this module:\n\n")
		command("heapwright diagnose cpu.pprof heap.pprof", "where CPU and memory go, and what to change")
	}
	if len(m.Benchmarks) > 0 {
		command(mode.CommandLine(nil, "heapwright", "gate", "-base", m.branch(), "./..."),
			"in CI: fail if a change makes a benchmark worse")
	}
	if len(m.Pprof) > 0 {
		command("heapwright diagnose http://localhost:6060", "the same of a service that runs")
	}
}

// missing names the keys that the user has to add for a main package.
func (s Main) missing() string {
	switch {
	case s.Server == "":
		return "args that give it work for some seconds"
	case s.URL == "":
		return "how it takes its port: args and url"
	}
	return "the method to call: grpc"
}

func (s Main) called() string {
	switch {
	case s.GRPC != "":
		return ", method " + s.GRPC
	case len(s.Routes) > 0:
		return ", " + s.URL[strings.LastIndex(s.URL, "{port}")+len("{port}"):]
	}
	return ""
}

// others lists the routes beside the one that is proposed.
func (s Main) others() string {
	return listed(slices.DeleteFunc(slices.Clone(s.Routes),
		func(r Route) bool { return r.plain() && strings.HasSuffix(s.URL, r.Path) }))
}
