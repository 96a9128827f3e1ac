package mode

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A mode that was written is the same mode again, whatever its values hold.
func TestModesSurviveJSON(t *testing.T) {
	modes, err := Parse(`default,GOGC=400,FOO="a,b+c"+BAR='say "x"',go1.26.1+nogreenteagc+tags="x,y"+tags=z,rev="v1+x",floor=64MiB,gctune,GODEBUG="a=1,b=2",flags="-race -ldflags=-s",pgo,randlayout`)
	if err != nil {
		t.Fatal(err)
	}
	named, err := readModes("[[mode]]\nname = \"lean\"\nsettings = [\"GOGC=50\", \"FOO= a+b, \"]")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range append(modes, named...) {
		data, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var again Mode
		if err := json.Unmarshal(data, &again); err != nil {
			t.Errorf("%s: %v", data, err)
			continue
		}
		if d := cmp.Diff(m, again, cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
			t.Errorf("%s: %s", data, d)
		}
	}
	var m Mode
	if err := json.Unmarshal([]byte(`{"name":"x","settings":["GOGC=1+GOMEMLIMIT=1GiB"]}`), &m); err == nil {
		t.Errorf("two settings in one are %v", m)
	}
}
