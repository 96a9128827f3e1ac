package report

import (
	"math"
	"testing"

	"github.com/heapwright/heapwright/internal/verdict"
)

func TestDrawBar(t *testing.T) {
	scale := math.Log(2)
	for _, tt := range []struct {
		low, high float64
		want      string
	}{
		{0.5, 0.5, "████│    "},
		{0.5, 0.7, "░░██│    "},
		{0.9, 1.1, "   ░│░   "},
		{1.4, 9, "    │██░░"},
		{1, 1, "    │    "},
		{0, math.MaxFloat64, "░░░░│░░░░"},
	} {
		if got := drawBar(verdict.Effect{Low: tt.low, High: tt.high}, scale, 9); got != tt.want {
			t.Errorf("drawBar(%v, %v) = %q, want %q", tt.low, tt.high, got, tt.want)
		}
	}
}

func TestFileName(t *testing.T) {
	taken := make(map[string]int)
	for _, tt := range []struct{ name, want string }{
		{"Tree/heap-2.cpu-sec/op", "Tree_heap-2.cpu-sec_op"},
		{"Tree_heap-2.cpu-sec/op", "Tree_heap-2.cpu-sec_op~2"},
		{"TREE/heap-2.cpu-sec/op", "TREE_heap-2.cpu-sec_op~3"},
		{"../../etc/passwd", "_.._.._etc_passwd"},
		{"-rf", "_-rf"},
		{"con.x", "_con.x"},
		{"", "_"},
		{"a\x00b\nc:d", "a_b_c_d"},
	} {
		if got := unique(fileName(tt.name), taken); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.name, got, tt.want)
		}
	}
	long := make([]byte, 5000)
	for i := range long {
		long[i] = 'a'
	}
	a, b := fileName(string(long)+"1"), fileName(string(long)+"2")
	if len(a) > 200 || a == b {
		t.Errorf("long names become %q and %q", a, b)
	}
}
