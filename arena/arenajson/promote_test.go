package arenajson

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

// TestPromote keeps decoded values when their arena dies and its memory is used again.
func TestPromote(t *testing.T) {
	keeps[tree](t, inputs[17])
	keeps[embeds](t, inputs[18])
	keeps[texts](t, inputs[14])
	keeps[numbers](t, inputs[0])
	keeps[any](t, inputs[17])
	keeps[map[string]any](t, inputs[17])
	keeps[[]tree2](t, inputs[27])
	keeps[[2]*numbers](t, `[{"N":1.5},{"U64":"7"}]`)
}

func keeps[T any](t *testing.T, in string) {
	t.Helper()
	a := arena.NewArena()
	defer a.Free()
	var want, got T
	if err := json.Unmarshal([]byte(in), &want); err != nil {
		t.Fatal(err)
	}
	if err := (UnmarshalOptions{Text: arena.TextArena}).Unmarshal(a, []byte(in), &got); err != nil {
		t.Fatal(err)
	}
	kept := Promote(got)
	a.Reset()
	for _, other := range targets() {
		UnmarshalOptions{Text: arena.TextArena}.Unmarshal(a, []byte(strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'm' {
				return 'q'
			}
			return r
		}, in)), other)
	}
	if !reflect.DeepEqual(kept, want) {
		t.Errorf("kept %+v, want %+v", kept, want)
	}
}
