package rules

import (
	"testing"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const relays = `package main

import "io"

func relay(in io.ByteReader) {
	var frame [32 << 10]byte
	for {
		b, err := in.ReadByte()
		if err != nil {
			return
		}
		frame[b]++
	}
}

func wait(in io.ByteReader) {
	in.ReadByte()
}

func main() {}
`

func TestStackMemory(t *testing.T) {
	known := func(mib float64) evidence.Known { return evidence.Known{Value: mib * (1 << 20), OK: true} }
	for name, test := range map[string]struct {
		stacks, resident float64 // MiB
		waiting          int64
		function, line   string
		at, says         string // "": no finding
	}{
		"an array on each": {75, 100, 1200, "relay", "in.ReadByte()", "var frame", "frame is a local variable of type [32768]byte"},
		"deep":             {75, 100, 1200, "wait", "in.ReadByte()\n}", "in.ReadByte()\n}", "recursion"},
		"many":             {75, 100, 30000, "wait", "in.ReadByte()\n}", "in.ReadByte()\n}", "Let fewer of them wait"},
		"a small part":     {20, 100, 1200, "relay", "in.ReadByte()", "", ""},
		"small":            {8, 12, 1200, "relay", "in.ReadByte()", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t, relays)
			s.runtime.Stacks, s.runtime.RSS = known(test.stacks), known(test.resident)
			s.waits = []*profiletest.Profile{profiletest.New("goroutine/count").
				Add("runtime.gopark@/go/src/runtime/proc.go:1 "+s.frame(test.function, test.line)+start, test.waiting)}
			if test.at == "" {
				s.wantsNone("stack-memory")
				return
			}
			has(t, s.wants("stack-memory", test.at).Remedy, test.says)
		})
	}
}
