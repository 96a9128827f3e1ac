package truth

import (
	"slices"
	"testing"

	"github.com/heapwright/heapwright/internal/rules"
)

// A typo in a truth would silently judge a finding wrong.
func TestModules(t *testing.T) {
	names := map[string]bool{}
	for _, m := range Modules {
		if names[m.Name] || m.Path == "" || m.Version == "" || len(m.Args) == 0 || len(m.Compile) == 0 || len(m.Expect) == 0 {
			t.Errorf("%q: twice, or without a version, arguments or expectations", m.Name)
		}
		names[m.Name] = true
		for _, p := range slices.Concat(m.Expect, m.Wrong, m.Unsafe, m.Safe) {
			if _, _, _, err := Range(p.At); err != nil {
				t.Errorf("%s: %v", m.Name, err)
			}
			if p.Why == "" {
				t.Errorf("%s: %s: no reason", m.Name, p.At)
			}
			for _, name := range p.rules() {
				if !slices.ContainsFunc(rules.Rules, func(r *rules.Rule) bool { return r.Name == name }) {
					t.Errorf("%s: %s: there is no rule %q", m.Name, p.At, name)
				}
			}
		}
	}
}

// A typo in a change would measure another one, or none.
func TestChanges(t *testing.T) {
	names := map[string]bool{}
	for _, m := range Modules {
		names[m.Name] = true
	}
	for _, r := range slices.Concat(Releases, Paths) {
		if names[r.Name] {
			t.Errorf("%q: twice", r.Name)
		}
		names[r.Name] = true
	}
	for _, c := range Changes {
		if !names[c.Of] {
			t.Errorf("%s %s: there is no module, release or path of that name", c.Of, c.For)
		}
		if _, _, _, err := Range(c.For); err != nil {
			t.Errorf("%s: %v", c.Of, err)
		}
		for _, name := range (Place{Rules: c.Rules}).rules() {
			if !slices.ContainsFunc(rules.Rules, func(r *rules.Rule) bool { return r.Name == name }) {
				t.Errorf("%s %s: there is no rule %q", c.Of, c.For, name)
			}
		}
		if err := Check(c.Edits); err != nil {
			t.Errorf("%s %s: %v", c.Of, c.For, err)
		}
		if len(c.Edits) > 0 && len(c.Tests) == 0 {
			t.Errorf("%s %s: no tests", c.Of, c.For)
		}
	}
}
