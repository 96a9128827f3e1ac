package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

// Rules are in order of their names, and each prefix of callees is claimed once.
func TestRulesAreOneList(t *testing.T) {
	if !slices.IsSortedFunc(Rules, func(a, b *finding.Rule) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("rules are not in order of their names")
	}
	claimed := map[string]string{}
	for _, r := range Rules {
		for _, p := range r.Callees {
			if other := claimed[p]; other != "" {
				t.Errorf("%s claims %q, which %s claims", r.Name, p, other)
			}
			claimed[p] = r.Name
		}
		for _, y := range r.Yields {
			if finding.Named(Rules, y.Callee) != r {
				t.Errorf("%s yields %q, which it does not claim", r.Name, y.Callee)
			}
		}
	}
}

// callOf is a call through functions, the outermost first. An exclamation mark is
// before those of a dependency.
func callOf(below string) evidence.Call {
	fields := strings.Fields(below)
	c := evidence.Call{Foreign: len(fields)}
	for i, name := range slices.Backward(fields) {
		if plain, foreign := strings.CutPrefix(name, "!"); foreign {
			fields[i], c.Foreign = plain, i
		}
	}
	c.Below = fields
	return c
}

func TestClaimCallee(t *testing.T) {
	for below, want := range map[string]string{ // outermost first
		"":                                             "",
		"runtime.growslice":                            "",
		"strings.Split":                                "library-garbage strings.Split",
		"fmt.Sprintf fmt.newPrinter":                   "formatting fmt.Sprintf",
		"example.org/x.F fmt.Sprintf":                  "formatting fmt.Sprintf",
		"!example.org/x.F fmt.Sprintf":                 "library-garbage example.org/x.F", // of a dependency
		"sort.Sort !example.org/x.F fmt.Sprintf":       "library-garbage example.org/x.F",
		"!gopkg.in/yaml.v3.Unmarshal strings.Split":    "encoder gopkg.in/yaml.v3.Unmarshal",
		"fmt.Fprint !example.org/x.F":                  "formatting fmt.Fprint",
		"net/http.(*Server).Serve":                     "",
		"net/http.(*response).WriteHeader":             "", // no handler can answer without
		"encoding/json.Marshal bytes.(*Buffer).Write":  "encoder encoding/json.Marshal",
		"fmt.Fprintf bytes.(*Buffer).Write":            "request-buffer bytes.(*Buffer).Write",
		"fmt.Fprintf strings.(*Builder).Write":         "append-without-room strings.(*Builder).Write",
		"fmt.Fprintf encoding/json.Marshal":            "formatting fmt.Fprintf",
		"fmt.Sprintf bytes.(*Buffer).Write":            "formatting fmt.Sprintf",
		"io.WriteString":                               "string-conversion io.WriteString",
		"io.WriteString compress/gzip.(*Writer).Write": "encoder compress/gzip.(*Writer).Write",
		"io.WriteString example.org/x.(*W).Write":      "string-conversion io.WriteString",
	} {
		got := ""
		if r, callee := finding.ClaimCallee(Rules, callOf(below)); r != nil {
			got = r.Name + " " + callee
		}
		if got != want {
			t.Errorf("%q is claimed as %q, want %q", below, got, want)
		}
	}
}

// Of every expression one rule's claim is the strongest, whatever the order of
// the list.
func TestClaimExpression(t *testing.T) {
	kinds := map[source.Kind]string{
		source.BytesToString: "string-conversion", source.StringToBytes: "string-conversion", source.Concat: "string-concatenation",
		source.Append: "append-without-room", source.MapInsert: "map-without-size", source.MakeMap: "short-lived", source.MakeSlice: "short-lived",
		source.MakeChan: "short-lived", source.New: "short-lived", source.Boxing: "boxing", source.Closure: "closure", source.MethodValue: "closure",
		source.Go: "closure", source.Defer: "closure", "": "short-lived",
	}
	e := &evidence.Evidence{}
	for kind, usual := range kinds {
		for _, a := range []source.Allocation{{}, {Sized: true}, {Type: "[]byte"}, {Type: "[]byte", Sized: true}, {Outlives: true, Type: "[]byte"}} {
			for _, retained := range []bool{false, true} {
				a.Kind = kind
				s, x := &evidence.Site{Retained: retained}, evidence.Expression{Allocation: a}
				want := usual
				grows := kind == source.Append || kind == source.MapInsert
				switch {
				case grows && a.Outlives && retained:
					want = "unbounded-growth"
				case a.Type != "" && (kind == source.MakeSlice || kind == source.New || kind == source.Append && a.Sized):
					want = "request-buffer"
				case grows && a.Sized:
					want = "short-lived"
				}
				best := finding.ClaimExpression(Rules, e, s, x)
				if best == nil || best.Name != want {
					t.Errorf("%+v, retained %v, is claimed by %v, want %s", a, retained, best, want)
					continue
				}
				for _, r := range Rules {
					if r != best && r.Claims != nil && r.Claims(e, s, x) == best.Claims(e, s, x) {
						t.Errorf("%+v: %s and %s claim it alike", a, r.Name, best.Name)
					}
				}
			}
		}
	}
}
