package vm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"github.com/heapwright/heapwright/arena"
)

func TestEach(t *testing.T) {
	program, err := expr.Compile(`sum(map(1..n, # * 2)) / d`)
	if err != nil {
		t.Fatal(err)
	}
	var envs []any
	for i := range 40 {
		envs = append(envs, map[string]any{"n": i, "d": 2})
	}
	envs = append(envs, map[string]any{"n": "x"})
	var trace vm.Trace
	results := trace.Each(program, envs, 4)
	if got := results[10]; got != 55.0 {
		t.Errorf("the sum is %v", got)
	}
	if f := trace.Failures(); len(f) != 1 || !strings.HasPrefix(f[0], "40: ") || strings.Contains(f[0], "\n") {
		t.Errorf("the failures are %q", f)
	}
	vm.Names(program)
}

func TestEvalContext(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	got, err := expr.EvalContext(arena.NewContext(context.Background(), a), `"a" + name`, map[string]any{"name": "b"})
	if err != nil || got != "ab" {
		t.Errorf("%v, %v", got, err)
	}
}
