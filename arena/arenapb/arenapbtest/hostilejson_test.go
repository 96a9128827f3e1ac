package arenapbtest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
	"github.com/heapwright/heapwright/arena/arenapb/arenapbtest/testdata/open"
)

// hostileJSON are inputs that take much memory for their size, or ask for it.
func hostileJSON(n int) map[string]string {
	list := func(name, element string, n int) string {
		return `{"` + name + `":[` + strings.Repeat(element+",", n-1) + element + `]}`
	}
	keys := func(begin, format, end string) string {
		var b strings.Builder
		b.WriteString(begin)
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return strings.TrimSuffix(b.String(), ",") + end
	}
	return map[string]string{
		"empty messages":      list("rMessage", "{}", n/20),
		"empty strings":       list("rString", `""`, n),
		"escapes":             list("rString", `"\n"`, n),
		"empty bytes":         list("rBytes", `""`, n),
		"numbers":             list("rUint64", "0", n),
		"numbers in strings":  list("rUint64", `"0"`, n),
		"rare numbers":        list("rUint64", "1e0", n/10),
		"bools":               list("rBool", "true", n),
		"unknown enums":       list("rOpen", `"X"`, n),
		"entries":             keys(`{"mString":{`, `"%d":"",`, `}}`),
		"entries of messages": `{"mSint64":{` + strings.Repeat(`"1":{},`, n) + `"2":{}}}`,
		"unknown":             keys(`{`, `"x%d":0,`, `}`),
		"unknown extensions":  keys(`{`, `"[x%d]":0,`, `}`),
		"unknown lists":       `{"x":[` + strings.Repeat("[],", n) + `[]]}`,
		"nested":              strings.Repeat(`{"aMessage":`, 9_999) + "{}" + strings.Repeat("}", 9_999),
		"nested too deeply":   strings.Repeat(`{"aMessage":`, 10_000) + "{}" + strings.Repeat("}", 10_000),
		"nested lists":        strings.Repeat(`{"rMessage":[`, 9_999) + "{}" + strings.Repeat("]}", 9_999),
		"open messages":       strings.Repeat(`{"aMessage":`, n),
		"open lists":          `{"x":` + strings.Repeat("[", n),
		"open objects":        strings.Repeat(`{"x":`, n),
		"a long escape":       `{"aString":"` + strings.Repeat(`\u0041`, n),
		"a long number":       `{"aInt64":` + strings.Repeat("1", n),
		"a long float":        `{"aDouble":` + strings.Repeat("1", n) + "}",
	}
}

// Input in JSON must not buy more memory than twice that of protojson, the input
// included, and the first chunks of an arena.
func TestHostileJSONTakesNoMoreMemory(t *testing.T) {
	if arena.Backend != "slab" || checks {
		t.Skip("this build allocates memory in another way")
	}
	const n, chunks = 300_000, 1 << 19
	if err := arenapb.UnmarshalJSON(new(arena.Pool).Get(), []byte("{}"), new(open.Everything)); err != nil { // so that its table is there
		t.Fatal(err)
	}
	for name, text := range hostileJSON(n) {
		data := []byte(text)
		m, want := new(open.Everything), new(open.Everything)
		var err, wantErr error
		byProto := memoryOf(func() { wantErr = protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, want) })
		a := new(arena.Pool).Get()
		used := memoryOf(func() {
			err = arenapb.UnmarshalJSONOptions{Text: arena.TextArena, DiscardUnknown: true}.Unmarshal(a, data, m)
		})
		if (err == nil) != (wantErr == nil) {
			t.Errorf("%s: got the error %v, want %v", name, err, wantErr)
		}
		input := uint64(len(data))
		t.Logf("%s, %d bytes: allocates %d (protojson: %d), keeps %d (%d)", name, input, used.allocated, byProto.allocated, used.kept, byProto.kept)
		factor := uint64(2)
		if name == "rare numbers" { // protojson begins again for each of them, which leaves garbage
			factor = 3
		}
		if most := factor*(byProto.allocated+input) + chunks; used.allocated+input > most {
			t.Errorf("%s: allocates %d bytes with the input, more than %d", name, used.allocated+input, most)
		}
		if most := 2*(byProto.kept+input) + chunks; err == nil && used.kept+input > most {
			t.Errorf("%s: keeps %d bytes with the input, more than %d", name, used.kept+input, most)
		}
		runtime.KeepAlive(want)
		runtime.KeepAlive(m)
		a.Free()
	}
}
