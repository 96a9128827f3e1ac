package format

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestValue(t *testing.T) {
	for _, tt := range []struct {
		unit string
		v    float64
		want string
	}{
		{"sec", 0.00185, "1.85 ms"},
		{"sec", 0.0009996, "1.00 ms"},
		{"sec", 230e-6, "230 µs"},
		{"sec", 3.2e-12, "0.0032 ns"},
		{"sec", 12.44, "12.4 s"},
		{"sec", 59.96, "1m"},
		{"sec", 95, "1m35s"},
		{"sec", 3599.7, "1h"},
		{"sec", 7510, "2h5m"},
		{"sec", 36000, "10h"},
		{"sec", -1800, "-30m"},
		{"sec", 1e30, "1e+30 s"},
		{"sec", 0, "0 s"},
		{"ns", 1500, "1.50 µs"},
		{"microseconds", 1500, "1.50 ms"},
		{"milliseconds", 5, "5 ms"},
		{"B", 48, "48 B"},
		{"B", 1023.7, "1.00 KiB"},
		{"B", 1023 << 20, "1023 MiB"},
		{"bytes", 1.5 * (1 << 20), "1.50 MiB"},
		{"bytes", math.MinInt64, "-8 EiB"},
		{"fraction", 0.0312, "3.1%"},
		{"allocs", 18_200, "18.2k"},
		{"allocs", 7, "7"},
		{"MB", 1234.5, "1.23k"},
		{"x", -0.5, "-0.50"},
		{"x", math.Copysign(0, -1), "0"},
		{"x", math.NaN(), "–"},
		{"bytes", math.MaxFloat64, "∞"},
		{"sec", math.Inf(-1), "-∞"},
		{"x", 1e300, "1e+282E"},
	} {
		if got := Value(tt.unit, tt.v); got != tt.want {
			t.Errorf("Value(%s, %v) = %q, want %q", tt.unit, tt.v, got, tt.want)
		}
	}
	if got := Duration(90 * time.Second); got != "1m30s" {
		t.Errorf("Duration(90 s) = %q", got)
	}
	if got := Plus(1, Bytes(1)) + Plus(-1, Bytes(-1)) + Plus(0, Bytes(0)); got != "+1 B-1 B0 B" {
		t.Errorf("with their signs, 1, -1 and 0 B are %q", got)
	}
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		v           float64
		want, rough string
	}{
		{0, "0%", "0%"},
		{0.00001, "<0.01%", "<0.1%"},
		{-0.00001, ">-0.01%", ">-0.1%"},
		{0.0003, "0.03%", "<0.1%"},
		{0.0312, "3.1%", "3.1%"},
		{0.05, "5.0%", "5.0%"},
		{0.0996, "10.0%", "10%"},
		{0.1234, "12.3%", "12%"},
		{-0.0312, "-3.1%", "-3.1%"},
		{0.9994, "99.9%", "100%"},
		{1, "100%", "100%"},
		{1.5, "150%", "150%"},
		{math.NaN(), "–", "–"},
		{math.Inf(1), "–", "–"},
	} {
		if got := Share(tt.v); got != tt.want {
			t.Errorf("Share(%v) = %q, want %q", tt.v, got, tt.want)
		}
		if got := RoughShare(tt.v); got != tt.rough {
			t.Errorf("RoughShare(%v) = %q, want %q", tt.v, got, tt.rough)
		}
	}
}

func TestChange(t *testing.T) {
	for _, tt := range []struct {
		ratio float64
		want  string
	}{
		{0.688, "-31.2%"},
		{1.004, "+0.4%"},
		{1.0004, "+0.04%"},
		{0.9996, "-0.04%"},
		{1.00001, "0%"},
		{0.99999, "0%"},
		{0, "-100%"},
		{1.84, "+84.0%"},
		{3.5, "+250%"},
		{12.5, "×12.5"},
		{math.Inf(1), "from 0"},
		{math.MaxFloat64, "from 0"},
		{math.NaN(), "–"},
	} {
		if got := Change(tt.ratio); got != tt.want {
			t.Errorf("Change(%v) = %q, want %q", tt.ratio, got, tt.want)
		}
	}
}

// "0%" stands beside an interval only if that is zero too.
func TestChangeWithin(t *testing.T) {
	for want, v := range map[string][3]float64{
		"0%": {1, 1, 1}, "±0.0%": {1, 0.97, 1.03}, "-3.0%": {0.97, 0.95, 0.99}, "+0.02%": {1.0002, 0.9, 1.1},
	} {
		if got := ChangeWithin(v[0], v[1], v[2]); got != want {
			t.Errorf("of %v it is %q, want %q", v, got, want)
		}
	}
}

func TestIntervals(t *testing.T) {
	for _, tt := range []struct {
		write     func(low, high float64) string
		low, high float64
		want      string
	}{
		{Interval, 0.659, 0.72, "[-34.1%, -28.0%]"},
		{Interval, 0.9, 1.1, "[-10.0%, +10.0%]"},
		{Interval, 1.0003, 1.1, "[+0.03%, +10.0%]"},
		{Interval, 8, 12.5, "[×8, ×12.5]"},
		{Interval, 0.5, math.MaxFloat64, "[×0.50, ∞]"},
		{Interval, 0, math.MaxFloat64, "not known"},
		{Interval, math.NaN(), 1, "not known"},
		{ShareInterval, -0.0312, 0.124, "[-3.1%, 12.4%]"},
		{RoughRange, 0.12, 0.2, "12–20%"},
		{RoughRange, 0.121, 0.124, "12%"},
		{RoughRange, 0, 0.031, "0–3.1%"},
	} {
		if got := tt.write(tt.low, tt.high); got != tt.want {
			t.Errorf("from %v to %v: %q, want %q", tt.low, tt.high, got, tt.want)
		}
	}
}

var formats = map[string]func(float64) string{
	"Bytes": Bytes, "Count": Count, "Seconds": Seconds, "Digits": Digits, "Share": Share, "RoughShare": RoughShare,
	"Change": func(v float64) string { return Change(1 + v) },
}

// Whatever the figures, the greater one does not read as less, a figure below
// zero reads as one, or as zero, and zero has no sign.
func TestOrderAndSignHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"Bytes", "Count", "Seconds", "Digits", "Share", "RoughShare", "Change"}).Draw(t, "format")
		scale := math.Pow(10, rapid.Float64Range(-12, 12).Draw(t, "scale"))
		a := rapid.Float64Range(-1, 1).Draw(t, "a") * scale
		b := a + rapid.Float64Range(-0.02, 0.02).Draw(t, "difference")*scale // near, so that both are at a border of rounding
		a, b = min(a, b), max(a, b)
		first, second := formats[name](a), formats[name](b)
		if read(t, first) > read(t, second) {
			t.Fatalf("%s of %v is %q, of %v %q", name, a, first, b, second)
		}
		for v, text := range map[float64]string{a: first, b: second} {
			shown := read(t, text)
			if shown*v < 0 || strings.Contains(text, "-") && shown == 0 {
				t.Fatalf("%s of %v is %q", name, v, text)
			}
			if shown == 0 && v != 0 && (name != "Change" || math.Abs(v) > 5e-5) {
				t.Fatalf("%s of %v is %q: the sign is lost", name, v, text)
			}
		}
	})
}

var number = regexp.MustCompile(`^([<>]?)([-+×]?)([0-9.]+(?:e[+-][0-9]+)?) ?(\D*)$`)

var units = map[string]float64{
	"": 1, "%": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18, "ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1,
	"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50, "EiB": 1 << 60,
}

// read returns the value that a text stands for: of "<0.1%" the half of it,
// and of a factor the percents.
func read(t *rapid.T, text string) float64 {
	if d, err := time.ParseDuration(text); err == nil {
		return d.Seconds()
	}
	part := number.FindStringSubmatch(text)
	if part == nil || units[part[4]] == 0 {
		t.Fatalf("%q is no number with a unit", text)
	}
	v, err := strconv.ParseFloat(part[3], 64)
	if err != nil {
		t.Fatal(err)
	}
	if part[1] != "" {
		v /= 2
	}
	switch part[2] {
	case "-":
		v = -v
	case "×":
		v = 100 * (v - 1)
	}
	return v * units[part[4]]
}

func TestUnit(t *testing.T) {
	for metric, want := range map[string]string{
		"cpu-sec/op": "sec/op", "B/op": "B/op", "peak-RSS-bytes": "bytes", "gc-cpu-fraction": "fraction", "p99-ns/req": "ns/req", "": "",
	} {
		if got := Unit(metric); got != want {
			t.Errorf("Unit(%q) = %q, want %q", metric, got, want)
		}
	}
}
