package cli

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A flag has one meaning in all commands: at least, the values of a name are of one
// kind. Help shows the kind as the name of the value.
func TestOneMeaningPerFlag(t *testing.T) {
	kinds := map[string]string{"o": "DIR"} // and FILE, where the output is one file
	for _, c := range commands {
		fs, _ := c.flags()
		for _, name := range flagNames(fs.all) {
			kind, usage := flag.UnquoteUsage(fs.all.Lookup(name))
			switch kind {
			case "duration", "value", "string", "int", "uint", "float":
				t.Errorf("heapwright %s -%s: %q does not name the value", c.name, name, usage)
			}
			if c.name == "vet" && name == "diff" {
				continue // a switch beside -fix, as in go fix
			}
			if c.name == "serve" && name == "from" {
				continue // the store whose profiles are judged; elsewhere the start of a window
			}
			if other, ok := kinds[name]; ok && kind != other && !(name == "o" && kind == "FILE") {
				t.Errorf("heapwright %s -%s takes %q, elsewhere %q", c.name, name, kind, other)
			}
			kinds[name] = kind
			if name == "o" {
				kinds[name] = "DIR"
			}
		}
	}
}

var update = flag.Bool("update", false, "rewrite testdata/sections.txt")

// TestSections shows in which section of the help of its command each flag is; those in
// parentheses are only in -h all. The short help of a command is short.
func TestSections(t *testing.T) {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintln(&b, c.name)
		fs, _ := c.flags()
		common := 0
		for _, s := range fs.sections() {
			names := flagNames(&s.common)
			common += len(names)
			for _, name := range flagNames(&s.rare) {
				names = append(names, "("+name+")")
			}
			if len(names) > 0 {
				fmt.Fprintf(&b, "  %s: %s\n", s.title, strings.Join(names, " "))
			}
		}
		if common > 13 {
			t.Errorf("heapwright %s -h shows %d flags", c.name, common)
		}
	}
	const golden = "testdata/sections.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if diff := cmp.Diff(string(want), b.String()); diff != "" || err != nil {
		t.Errorf("%v; go test ./internal/cli -run Sections -update, if a reader looks for them there (-want +got)\n%s", err, diff)
	}
}

// A flag that no section has is a former name.
func TestEveryFlagHasASection(t *testing.T) {
	for _, c := range commands {
		fs, _ := c.flags()
		var shown []string
		for _, s := range fs.sections() {
			shown = slices.Concat(shown, flagNames(&s.common), flagNames(&s.rare))
		}
		if slices.Sort(shown); !slices.Equal(shown, flagNames(fs.all)) {
			t.Errorf("heapwright %s -h all shows %q of its flags %q", c.name, shown, flagNames(fs.all))
		}
	}
}
