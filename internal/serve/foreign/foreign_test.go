package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/heapwright/heapwright/internal/profile"
)

// stacks returns the samples of a pprof profile as text, sorted.
func stacks(t testing.TB, data []byte) (all []string) {
	t.Helper()
	p, err := profile.NewDecoder(profile.Options{}).DecodeBytes("x", data)
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range p.Stacks {
		var words []string
		for f := range p.Dict.Frames(id) {
			words = append(words, fmt.Sprint(p.Dict.FrameName(f), ":", f.Line.Line))
		}
		for c, kind := range p.SampleTypes {
			words = append(words, fmt.Sprint(kind.Type, "=", p.Values[c][i]))
		}
		all = append(all, strings.Join(words, " "))
	}
	slices.Sort(all)
	return all
}

func TestFolded(t *testing.T) {
	at := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		text string
		how  Text
		want string
	}{
		"folded":  {"main;work;parse 10\nmain;work 5\r\n\n", Text{Counted: true, From: at, Until: at.Add(time.Second)}, "[parse:0 work:0 main:0 samples=10 cpu=100000000 work:0 main:0 samples=5 cpu=50000000]"},
		"rate":    {"main 1", Text{Counted: true, Rate: 1000}, "[main:0 samples=1 cpu=1000000]"},
		"lines":   {"main;a b 10\nmain", Text{}, "[a b 10:0 main:0 samples=1 cpu=10000000 main:0 samples=1 cpu=10000000]"},
		"bytes":   {"main;a 7", Text{Counted: true, Units: "bytes"}, "[a:0 main:0 inuse_space=7]"},
		"spaces":  {"main;a b 7", Text{Counted: true, Units: "objects"}, "[a b:0 main:0 inuse_objects=7]"},
		"unknown": {"x 1", Text{Counted: true, Units: "lock_samples"}, "[x:0 lock_samples=1]"},
	} {
		data, err := Folded([]byte(c.text), c.how)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := fmt.Sprint(stacks(t, data)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	for _, text := range []string{"", "\n", "main", "main x", "main -1", " 5x", "main 99999999999999999999", strings.Repeat("a;", 1<<20) + "b 1"} {
		if _, err := Folded([]byte(text), Text{Counted: true}); err == nil {
			t.Errorf("%.20q is taken", text)
		}
	}
}

// Builders of messages.

func sub(number protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), bytes.Join(parts, nil))
}

func num(field protowire.Number, n uint64) []byte { return number(nil, field, n) }

func fixed(field protowire.Number, n uint64) []byte {
	return protowire.AppendFixed64(protowire.AppendTag(nil, field, protowire.Fixed64Type), n)
}

func packed(field protowire.Number, all ...uint64) []byte {
	var b []byte
	for _, n := range all {
		b = protowire.AppendVarint(b, n)
	}
	return sub(field, b)
}

func text(field protowire.Number, s string) []byte { return sub(field, []byte(s)) }

func attributeOf(name, value string) []byte { return sub(1, text(1, name), sub(2, text(1, value))) }

// dictionary has two functions, in a stack of three locations, one of which has only an
// address.
func dictionary() []byte {
	words := []string{"", "samples", "count", "cpu", "nanoseconds", "app.work", "app.main", "/src/app.go", "/usr/bin/shop"}
	d := append(sub(1), sub(1, num(1, 0x1000), num(2, 0x2000), num(4, 8))...)
	d = append(d, bytes.Join([][]byte{
		sub(2),
		sub(2, num(1, 1), num(2, 0x1100), sub(3, num(1, 1), num(2, 42))),
		sub(2, sub(3, num(1, 2), num(2, 7))),
		sub(2, num(1, 1), num(2, 0x1200)),
		sub(3), sub(3, num(1, 5), num(3, 7)), sub(3, num(1, 6), num(3, 7), num(4, 3)),
		sub(7), sub(7, packed(1, 1, 2, 3)), sub(7, num(1, 2)),
	}, nil)...)
	for _, w := range words {
		d = append(d, text(5, w)...)
	}
	return sub(2, d)
}

// export is a message with a profile of samples, whose type and period are entries of the
// dictionary.
func export(samples ...[]byte) []byte {
	p := [][]byte{sub(1, num(1, 1), num(2, 2)), fixed(3, 1e18), num(4, 5e9), sub(5, num(1, 3), num(2, 4)), num(6, 1e7)}
	resource := sub(1, attributeOf("service.name", "shop"), attributeOf("k8s.pod.name", "shop-1"), attributeOf("service.version", "v1"))
	return append(sub(1, resource, sub(2, sub(2, append(p, samples...)...))), dictionary()...)
}

func TestOTLP(t *testing.T) {
	var got []Profile
	message := export(sub(2, num(1, 1), packed(4, 3)), sub(2, num(1, 2), sub(5, make([]byte, 16))), sub(2, num(1, 2), num(4, 1)))
	if err := OTLP(message, func(p Profile) error { got = append(got, p); return nil }); err != nil || len(got) != 1 {
		t.Fatal(got, err)
	}
	p := got[0]
	if p.Service != "shop" || fmt.Sprint(p.Labels) != "map[instance:shop-1 version:v1]" || p.Time.UnixNano() != 1e18 {
		t.Error(p.Service, p.Labels, p.Time)
	}
	decoded, err := profile.NewDecoder(profile.Options{}).DecodeBytes("x", p.Data)
	if err != nil || decoded.TimeNanos != 1e18 || decoded.DurationNanos != 5e9 || decoded.Period != 1e7 || decoded.Dict.Mapping(decoded.Mappings[0]).File != "/usr/bin/shop" {
		t.Error(decoded, err)
	}
	const want = "[app.main:7 samples=1 cpu=10000000 app.main:7 samples=2 cpu=20000000 app.work:42 app.main:7 [shop]:0 samples=3 cpu=30000000]"
	if all := fmt.Sprint(stacks(t, p.Data)); all != want {
		t.Errorf("%s, want %s", all, want)
	}
}

// Indices that lead nowhere, parts of a message, and messages that become much more than they
// are, are errors.
func TestHostileOTLP(t *testing.T) {
	ignore := func(Profile) error { return nil }
	for name, message := range map[string][]byte{
		"no stack":     export(sub(2, num(1, 9), packed(4, 1))),
		"large number": export(sub(2, num(1, 1<<63), packed(4, 1))),
		"too much CPU": export(sub(2, num(1, 1), packed(4, 1<<60))),
		"negative":     export(sub(2, num(1, 1), packed(4, 1<<63))),
		"no location":  append(export(sub(2, num(1, 3), packed(4, 1))), sub(2, sub(7, packed(1, 99)))...),
		"garbage":      []byte("nonsense that is no message"),
	} {
		if err := OTLP(message, ignore); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	whole := export(sub(2, num(1, 1), packed(4, 3)))
	for n := range whole {
		OTLP(whole[:n], ignore) // it may be a shorter message
	}
	deep := make([]uint64, mostFrames)
	samples := bytes.Repeat(sub(2, num(1, 3), packed(4, 1)), 100_000)
	large := append(export(samples), sub(2, sub(7, packed(1, deep...)))...)
	many := bytes.Repeat(sub(2), mostProfiles+1)
	for name, message := range map[string][]byte{
		"one stack, many samples": large,
		"profiles":                append(sub(1, sub(2, many)), dictionary()...),
		"entries":                 sub(2, bytes.Repeat(sub(7), mostEntries+1)),
		"a deep stack":            append(export(sub(2, num(1, 3), packed(4, 1))), sub(2, sub(7, packed(1, make([]uint64, mostFrames+1)...)))...),
	} {
		if err := OTLP(message, ignore); !errors.Is(err, ErrLarge) {
			t.Errorf("%s, of %d KiB: %v", name, len(message)>>10, err)
		}
	}
}

func FuzzOTLP(f *testing.F) {
	f.Add(export(sub(2, num(1, 1), packed(4, 3))))
	f.Fuzz(func(t *testing.T, message []byte) {
		OTLP(message, func(p Profile) error {
			if len(p.Data) > mostOut+1<<20 {
				t.Fatal(len(p.Data))
			}
			return nil
		})
	})
}

func FuzzFolded(f *testing.F) {
	f.Add([]byte("main;work 10\nmain 1"), true)
	f.Fuzz(func(t *testing.T, text []byte, counted bool) {
		data, err := Folded(text, Text{Counted: counted})
		if err == nil {
			stacks(t, data)
		}
	})
}
