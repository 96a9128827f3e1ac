package flame_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/heapwright/heapwright/internal/browsertest"
	"github.com/heapwright/heapwright/internal/flame"
	"github.com/heapwright/heapwright/internal/flame/flametest"
	"github.com/heapwright/heapwright/internal/format"
)

// The page and the tool write the same figures.
func TestNumbersReadAsInTheTool(t *testing.T) {
	source, err := os.ReadFile("../../flame/page/number.js") // in the page it is out of reach
	if err != nil {
		t.Fatal(err)
	}
	b := open(t, newTree(t, flametest.Decode(t, flametest.Heap())[0], flame.Options{}), browsertest.Desktop)
	var calls string
	var want []string
	add := func(text, call string, args ...any) {
		want, calls = append(want, text), calls+fmt.Sprintf(call, args...)+", "
	}
	for _, v := range []float64{0, 0.3, 7, 48, 95, 999.7, 1023.7, 18_234, 1.3e7, 5.04e9, 59.96e9, 95e9, 3599.7e9, 7510e9, 36e12, 4e18} {
		for _, v := range []float64{v, -v} {
			for _, unit := range []string{"bytes", "nanoseconds", "count"} {
				add(format.Value(unit, v), "amount(%v, %q)", v, unit)
			}
			add(format.Share(v/1e3), "share(%v, 1e3)", v)
			add(format.Share(v/1e6), "share(%v, 1e6)", v)
			add(format.Change((1e13+v)/1e13), "changed(1e13 + %v, 1e13)", v)
		}
	}
	add(format.Value("milliseconds", 1.5), "amount(1.5, 'milliseconds')")
	add(format.Change(math.Inf(1)), "changed(1, 0)")
	add(format.Share(math.NaN()), "share(0, 0)")
	texts := browsertest.Ask[string](b.Page, "(() => {"+string(source)+"return JSON.stringify(["+calls+"]); })()")
	var got []string
	if err := json.Unmarshal([]byte(texts), &got); err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("the page writes %q, the tool %q", got[i], want[i])
		}
	}
}
