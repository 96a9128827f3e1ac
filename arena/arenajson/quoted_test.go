package arenajson

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/arena"
)

type quotes struct {
	S  string      `json:",string"`
	K  kind        `json:",string"`
	SP *string     `json:",string"`
	N  json.Number `json:",string"`
	I  int8        `json:",string"`
	U  *uint16     `json:",string"`
	F  float32     `json:",string"`
	B  bool        `json:",string"`
	BP *bool       `json:",string"`
}

// TestQuoted compares the values of fields with the option string.
func TestQuoted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	a := arena.NewArena()
	defer a.Free()
	names := []string{"S", "K", "SP", "N", "I", "U", "F", "B", "BP"}
	values := []string{`"a"`, `""`, `"`, `"\u00e4\n"`, `"ä"`, "null", "true", "false", "0", "-1", "7e1", "1.5", "300", "a", ""}
	around := []string{"", "", "", " ", "\t", "\n", "\r", "\x00", `"`, `\`, "x", "\u00a0", "1"}
	valid := 0
	for range 20000 {
		text := around[r.IntN(len(around))] + values[r.IntN(len(values))] + around[r.IntN(len(around))]
		quoted, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		members := `{"` + names[r.IntN(len(names))] + `":` + string(quoted)
		if r.IntN(3) == 0 { // a second value for one of the fields
			members += strings.Repeat(" ", r.IntN(2)) + `,"` + names[r.IntN(len(names))] + `":"1"`
		}
		if same(t, a, []byte(members+"}"), new(quotes)) {
			valid++
		}
		a.Reset()
	}
	if valid < 300 {
		t.Errorf("only %d inputs were valid", valid)
	}
}
