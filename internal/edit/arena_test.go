package edit

import (
	"go/token"
	"go/types"
	"os"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/inject"
)

type none struct{}

func (none) Import(string) (*types.Package, error) { return nil, os.ErrNotExist }

// The part of package arena that changes are checked with is the one that there is.
func TestArenaAPI(t *testing.T) {
	listing, err := os.ReadFile("../../api/arena.txt")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (withArena{none{}, token.NewFileSet()}).Import(inject.ArenaModule); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(arenaAPI) {
		signature, _, is := strings.Cut(line, " {")
		if is && strings.HasPrefix(line, "func") && !strings.Contains(string(listing), "arena: "+signature+"\n") {
			t.Errorf("package arena has no %s", signature)
		}
	}
	if _, err := (withArena{none{}, token.NewFileSet()}).Import("example.org/other"); err == nil {
		t.Error("another package is known")
	}
}
