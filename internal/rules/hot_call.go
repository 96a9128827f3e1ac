package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var hotCall = &finding.Rule{
	Name:  "hot-call",
	Title: "most of the CPU time is in one call",
	Doc: `Finds a line of the program whose call of a library takes 40% of the CPU time or more, without its allocations.
No setting of the collector and no change of memory helps there, so the finding does not say what is
saved. It is wrong if the call is the purpose of the program.`,
	Remedy:  "Call it less often: cache its result where it is the same in every call, or do the work once for many.",
	Example: "go tool pprof -list 'FUNCTION' cpu.pb.gz",
	Risk:    "A result that is kept has to be thrown away when it is no longer right.",
	Find:    findHotCall,
}

const (
	// hotEnough is the share of CPU time from which on a call is a finding, and hotSamples the
	// least number of samples of it.
	hotEnough, hotSamples = 0.4, 25
	// hotWeight is the saving, as a part of the call's share, up to which others come after it.
	hotWeight = 0.2
)

// hotRemedies has remedies by the beginning of a function's name.
var hotRemedies = []struct {
	prefixes        []string
	remedy, example string
}{
	{
		[]string{"slices.Index", "slices.Contains", "slices.Delete", "slices.Insert"},
		"Each call looks through the list from its start, or moves its rest. Keep a map from the key to the place, " +
			"or a linked list such as container/list, so that a call takes constant time.",
		"e, ok := c.entries[key] // map[string]*list.Element\nif ok {\n\tc.order.MoveToFront(e)\n}",
	},
	{
		[]string{"crypto/pbkdf2.", "golang.org/x/crypto/pbkdf2.", "golang.org/x/crypto/bcrypt.",
			"golang.org/x/crypto/scrypt.", "golang.org/x/crypto/argon2."},
		"The hash is slow on purpose, against guessing. Remember for some minutes that a password was right, by a " +
			"keyed hash of it, or give out a session token, instead of deriving the hash again for each request.",
		"if c.right.Has(mac(key, user, password)) { // HMAC-SHA256 with a key of this process\n\treturn true\n}",
	},
	{
		[]string{"bufio.(*Reader).", "bufio.(*Scanner).Scan", "io.Read", "io.(*LimitedReader).Read", "net.(*conn).Read", "os.(*File).Read"},
		"Look whether its loop spins: at the end of the input each read returns io.EOF at once, so a loop that continues " +
			"there never waits. Return or break at io.EOF, and at every error that does not pass. Otherwise read larger " +
			"pieces, with fewer calls.",
		"line, err := r.ReadString('\\n')\nif err != nil { // io.EOF too\n\treturn err\n}",
	},
	{
		[]string{"crypto/tls.LoadX509KeyPair", "crypto/tls.X509KeyPair", "crypto/x509."},
		"Load and parse it once, and again only when the file has changed.", "",
	},
	{
		[]string{"github.com/prometheus/client_golang/prometheus.(*"},
		"WithLabelValues looks the metric up each time: it hashes the labels and searches a map under a lock. Where the " +
			"labels are the same again and again, look it up once, keep the metric that it returns, and only count with that.",
		"rows := rowsTotal.WithLabelValues(db, table) // once for each table\nfor range batch {\n\trows.Inc()\n}",
	},
}

// remedyFor returns the index of a function's remedy, -1 without one.
func remedyFor(function string) int {
	for i, r := range hotRemedies {
		if finding.HasPrefix(function, r.prefixes) {
			return i
		}
	}
	return -1
}

// hotLine is a line of the program and the function of a library that it calls.
type hotLine struct {
	at     evidence.Frame
	callee string
}

// hotGroup has the calls that share a finding: calls of one function of the program to the
// same function, or to functions with the same remedy.
type hotGroup struct{ caller, callee string }

func (c *hotLine) group() hotGroup {
	if i := remedyFor(c.callee); i >= 0 {
		return hotGroup{c.at.Function, hotRemedies[i].prefixes[0]}
	}
	return hotGroup{c.at.Function, c.callee}
}

func findHotCall(e *evidence.Evidence, _ []finding.Cause) []finding.Finding {
	if e.CPU == nil {
		return nil
	}
	groups := map[hotGroup]float64{}
	shares := map[hotLine]float64{}
	paths := map[hotLine][]evidence.Frame{}
	var hottest hotLine
	for _, stack := range e.CPU.Stacks {
		path := e.Frames(stack)
		own := slices.IndexFunc(path, e.Owns)
		if own < 1 || owner.OfRuntime(path[own-1].Function) {
			continue
		}
		c := hotLine{path[own], path[own-1].Function}
		shares[c] += e.Of(stack).Work
		groups[c.group()] += e.Of(stack).Work
		if paths[c] == nil {
			paths[c] = path
		}
	}
	for c := range shares {
		by := cmp.Or(cmp.Compare(groups[c.group()], groups[hottest.group()]), cmp.Compare(shares[c], shares[hottest]),
			cmp.Compare(hottest.at.Line, c.at.Line), cmp.Compare(hottest.callee, c.callee))
		if by > 0 {
			hottest = c
		}
	}
	share := groups[hottest.group()]
	if share < hotEnough || share*e.Costs.Samples < hotSamples {
		return nil
	}
	name := profile.ShortName(hottest.callee)
	f := finding.Finding{
		Title:      fmt.Sprintf("%s of the CPU time is in %s", format.RoughShare(share), name),
		Path:       paths[hottest],
		Confidence: evidence.High,
		Exact:      true,
		Share:      share,
		Weight:     hotWeight * share,
		Evidence:   []finding.Figure{{Name: "CPU time in it", Value: share, Unit: "fraction"}},
	}
	// A newer version of a library may have mended it.
	path := paths[hottest]
	callee := path[slices.Index(path, hottest.at)-1]
	if m, _, ok := e.Source.Dependency(callee.Function, callee.File); ok {
		f.Callee = &finding.LibraryLine{Frame: callee, Module: m.Path, Version: m.Version, Share: 1}
	}
	moveTo(&f, e, hottest.at)
	if i := remedyFor(hottest.callee); i >= 0 {
		r := &hotRemedies[i]
		f.Remedy, f.Example, f.Prose = r.remedy, r.example, r.example == ""
	}
	if strings.HasSuffix(f.File, "_test.go") {
		return nil
	}
	return []finding.Finding{f}
}
