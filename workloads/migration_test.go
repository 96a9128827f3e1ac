package workloads

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

type node [2]int

// migrated holds the calls of docs/arena-migration.md; TestMigration compares.
func migrated[T any](v *T, t reflect.Type, len, cap int) *T {
	a := arena.NewArena()
	defer a.Free()
	*arena.New[T](a) = *v
	arena.MakeSlice[T](a, len, cap)[0] = *v
	v, _ = arena.ReflectNew(a, t).Interface().(*T)
	a.Reset()
	return arena.Clone(v)
}

func TestMigration(t *testing.T) {
	if migrated(new(node), reflect.TypeFor[node](), 1, 2) == nil {
		t.Error("ReflectNew returned no *node")
	}
	doc, err := os.ReadFile("../docs/arena-migration.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("migration_test.go")
	if err != nil {
		t.Fatal(err)
	}
	calls := regexp.MustCompile("`((?:arena|a)\\.[A-Z][^`]*\\))`").FindAllStringSubmatch(string(doc), -1)
	if len(calls) < 8 {
		t.Errorf("found %d calls in docs/arena-migration.md; is the pattern right?", len(calls))
	}
	for _, c := range calls {
		if !strings.Contains(string(source), c[1]) {
			t.Errorf("the call %s of docs/arena-migration.md does not stand in migration_test.go", c[1])
		}
	}
}

func TestMain(m *testing.M) {
	code := m.Run()
	arena.WriteLeaks(os.Stderr)
	os.Exit(code)
}
