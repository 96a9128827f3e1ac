package report

import (
	"math"
	"testing"

	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/verdict"
)

func TestValue(t *testing.T) {
	for _, tt := range []struct {
		metric string
		v      float64
		want   string
	}{
		{sample.Primary, 0.00185, "1.85 ms"},
		{sample.Primary, 0.0009996, "1.00 ms"},
		{sample.Primary, 230e-6, "230 µs"},
		{sample.Primary, 3.2e-12, "0.0032 ns"},
		{sample.Primary, 1234, "1234 s"},
		{sample.Primary, 0, "0 s"},
		{"p99-ns", 1500, "1.50 µs"},
		{"B/op", 48, "48 B"},
		{"B/op", 1023.7, "1.00 KiB"},
		{"peak-RSS-bytes", 1.5 * (1 << 20), "1.50 MiB"},
		{"gc-cpu-fraction", 0.0312, "3.12 %"},
		{"allocs/op", 18_200, "18.2k"},
		{"allocs/op", 7, "7"},
		{"MB/s", 1234.5, "1.23k"},
		{"x", -0.5, "−0.50"},
		{"x", math.NaN(), "–"},
		{"x", math.Inf(1), "∞"},
		{"x", 1e300, "1e+288T"},
	} {
		if got := value(tt.metric, tt.v); got != tt.want {
			t.Errorf("value(%s, %v) = %q, want %q", tt.metric, tt.v, got, tt.want)
		}
	}
}

func TestUnit(t *testing.T) {
	for metric, want := range map[string]string{
		sample.Primary: "sec/op", "B/op": "B/op", "peak-RSS-bytes": "bytes", "gc-cpu-fraction": "fraction", "p99-ns/req": "ns/req", "": "",
	} {
		if got := unit(metric); got != want {
			t.Errorf("unit(%q) = %q, want %q", metric, got, want)
		}
	}
}

func TestChange(t *testing.T) {
	for _, tt := range []struct {
		ratio       float64
		want, whole string
	}{
		{0.688, "−31.2 %", "−31 %"},
		{1.004, "+0.4 %", "+0.4 %"},
		{1.00001, "0 %", "0 %"},
		{0, "−100 %", "−100 %"},
		{1.84, "+84.0 %", "+84 %"},
		{3.5, "+250 %", "+250 %"},
		{12.5, "×12.5", "×12.5"},
		{math.Inf(1), "from 0", "from 0"},
		{math.MaxFloat64, "from 0", "from 0"},
		{math.NaN(), "–", "–"},
	} {
		if got := change(tt.ratio); got != tt.want {
			t.Errorf("change(%v) = %q, want %q", tt.ratio, got, tt.want)
		}
		if got := whole(tt.ratio); got != tt.whole {
			t.Errorf("whole(%v) = %q, want %q", tt.ratio, got, tt.whole)
		}
	}
}

func TestInterval(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		want      string
	}{
		{0.659, 0.72, "[−34.1, −28.0] %"},
		{0.9, 1.1, "[−10.0, +10.0] %"},
		{8, 12.5, "[×8, ×12.5]"},
		{0.5, math.MaxFloat64, "[×0.50, ∞]"},
		{0, math.MaxFloat64, "not known"},
	} {
		if got := interval(verdict.Effect{Low: tt.low, High: tt.high}); got != tt.want {
			t.Errorf("interval(%v, %v) = %q, want %q", tt.low, tt.high, got, tt.want)
		}
	}
}

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
	taken := make(map[string]bool)
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
