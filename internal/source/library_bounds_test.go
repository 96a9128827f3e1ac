package source

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestBounds(t *testing.T) {
	dir := program(t, map[string]string{"x.go": "package x\n\nimport \"ex.com/x/lib\"\n\nvar A lib.Assembler\n", "lib/lib.go": `package lib

type Options struct{ MaxPages, pages int }

type Assembler struct {
	Options
	IdleTimeout int
	Name        string
}

func (*Assembler) Assemble()   {}
func (*Assembler) FlushOlder() {}
func (Assembler) Close() error { return nil }
func (Assembler) closed() bool { return true }
`})
	x := study(t, Options{Dir: dir}, Place{"ex.com/x.init", filepath.Join(dir, "x.go"), 5})
	of, names := x.Bounds("ex.com/x/lib.(*Assembler).Assemble")
	if want := []string{"FlushOlder", "MaxPages", "IdleTimeout"}; of != "lib.Assembler" || !slices.Equal(names, want) {
		t.Errorf("%s has %v, want %v", of, names, want)
	}
	for _, unknown := range []string{"", "fmt.Println", "ex.com/x/lib.(*Missing).Do", "ex.com/none.(*T).Do", "a.(*"} {
		if of, names := x.Bounds(unknown); of != "" || names != nil {
			t.Errorf("%q: %s has %v", unknown, of, names)
		}
	}
}
