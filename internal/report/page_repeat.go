package report

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

// repeat is how one mode was built and run, and how it identified itself.
type repeat struct {
	Mode       string
	Failed     string
	Build, Run string // commands, one per line
	Identity   []fact
}

func (g *grid) repeats() []repeat {
	var all []repeat
	for _, m := range g.Document.Modes {
		all = append(all, repeat{
			Mode:     termtext.Harmless(m.Name),
			Failed:   termtext.Harmless(m.Failed),
			Build:    commands(m.Build),
			Run:      commands(m.Run),
			Identity: identity(m),
		})
	}
	return all
}

func commands(lines []string) string {
	safe := make([]string, len(lines))
	for i, l := range lines {
		safe[i] = termtext.Harmless(l)
	}
	return strings.Join(safe, "\n")
}

func identity(m result.Mode) []fact {
	id := m.Identity
	facts := []fact{{"Go", id.GoVersion}, {"Binary, SHA-256", id.BinarySHA256}, {"Build settings", pairs(id.Settings)}}
	if id.Reported {
		facts = append(facts, fact{"Run reports", reported(id)})
	}
	facts = append(facts, fact{"Environment", pairs(id.Env)})
	for i := range facts {
		facts[i].Text = termtext.Harmless(facts[i].Text)
	}
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Text == "" })
}

func reported(id mode.Identity) string {
	gogc := fmt.Sprint("GOGC ", id.GOGC)
	if id.GOGC < 0 {
		gogc = "GOGC off"
	}
	if id.MemoryLimit == math.MaxInt64 {
		return gogc + ", no memory limit"
	}
	return gogc + ", memory limit " + format.Bytes(float64(id.MemoryLimit))
}

func pairs(m map[string]string) string {
	var all []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		all = append(all, k+"="+m[k])
	}
	return strings.Join(all, " ")
}
