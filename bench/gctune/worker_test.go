package main

import (
	"sync/atomic"
	"testing"
)

func TestLine(t *testing.T) {
	var done atomic.Int64
	done.Store(7)
	text := line(&done)
	if p, ok := parseLine(text); !ok || p.done != 7 {
		t.Errorf("%q is %+v, %v", text, p, ok)
	}
	for _, cut := range []string{"", "at", text[:len(text)/3]} {
		if _, ok := parseLine(cut); ok {
			t.Errorf("%q passes for a whole line", cut)
		}
	}
}
