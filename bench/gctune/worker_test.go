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

func TestChoose(t *testing.T) {
	if all, err := choose("", peerNames(), "-peers"); err != nil || len(all) != len(peers) {
		t.Errorf("%v, %v", all, err)
	}
	if _, err := choose("gctune,nothing", peerNames(), "-peers"); err == nil {
		t.Error("an unknown peer is accepted")
	}
}
