package plot

import (
	"encoding/xml"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
)

// wild are ratios that a damaged or unusual document may hold.
var wild = []float64{0, -1, 1, 1e-300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 0.5, 2}

// wellFormed holds a figure against XML, and its numbers against being numbers.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("not a number in %s", svg)
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
	}
}

func TestAxis(t *testing.T) {
	a := NewAxis([]float64{0.7, 1.2})
	low, _ := a.At(0.7)
	mid, _ := a.At(1)
	high, _ := a.At(1.2)
	if !(0 < low && low < mid && mid < high && high < 1) {
		t.Errorf("0.7, 1, 1.2 lie at %v, %v, %v", low, mid, high)
	}
	if x, outside := a.At(3); x != 1 || !outside {
		t.Errorf("3 lies at %v, outside %v", x, outside)
	}
	if x, outside := a.At(0); x != 0 || !outside {
		t.Errorf("0 lies at %v, outside %v", x, outside)
	}
	for _, a := range []Axis{a, NewAxis(nil), NewAxis(wild), NewAxis([]float64{1})} {
		ticks := a.ticks(0.1)
		if len(ticks) < 2 || !slices.ContainsFunc(ticks, func(t Tick) bool { return t.Label == "0%" }) {
			t.Errorf("axis %v has the ticks %v", a, ticks)
		}
	}
}

func TestRow(t *testing.T) {
	for _, low := range wild {
		for _, high := range wild {
			for _, noise := range []float64{0, 0.01, 2, math.NaN()} {
				wellFormed(t, string(NewAxis(wild).Row(Interval{Ratio: low, Low: low, High: high, Noise: noise, Shape: "better"})))
			}
		}
	}
	got := string(NewAxis([]float64{0.9}).Row(Interval{Ratio: 1, Low: 0, High: math.Inf(1), Shape: "same"}))
	if !strings.Contains(got, "#to-left") || !strings.Contains(got, "#to-right") {
		t.Errorf("no arrows at the ends of %s", got)
	}
	wellFormed(t, string(NewAxis(wild).Scale()))
}

// blocks returns the values as the samples of consecutive blocks.
func blocks(values []float64) (all []Sample) {
	for i, v := range values {
		all = append(all, Sample{i, v})
	}
	return all
}

func TestLine(t *testing.T) {
	nan := math.NaN()
	r := Range{0, 10}
	for _, tt := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0, 10, 10, 0}, `d="M4 94h0l8-88h8l8 88"`},
		{[]float64{nan, 5, nan, 5}, `d="M12 50h0M28 50h0"`},
		{[]float64{math.Inf(1), 99}, `d="M12 6h0"`},
		{nil, `d=""`},
	} {
		if got := string(r.Line(blocks(tt.values))); got != tt.want {
			t.Errorf("Line(%v) = %s, want %s", tt.values, got, tt.want)
		}
	}
	for _, values := range [][]float64{nil, {nan}, {0}, {3, 3}, wild, {-math.MaxFloat64, math.MaxFloat64}} {
		r := RangeOf(blocks(values))
		if !(r.Low < r.High) {
			t.Errorf("range of %v is %v", values, r)
		}
		wellFormed(t, "<path "+string(r.Line(blocks(values)))+"/>")
	}
}

func TestFront(t *testing.T) {
	got := Front([]Point{{X: 1, Y: 1}, {X: 0.7, Y: 1.8}, {X: 0.8, Y: 1.9}, {X: 1, Y: 0.9}, {X: 0.7, Y: 1.8}})
	if want := []bool{false, true, false, true, true}; !slices.Equal(got, want) {
		t.Errorf("front %v, want %v", got, want)
	}
}

func TestScatter(t *testing.T) {
	s := Scatter{XTitle: "CPU <&>", YTitle: `"RSS"`, Width: 640, Height: 400}
	wellFormed(t, string(s.SVG()))
	for _, x := range wild {
		for _, y := range wild {
			s.Points = append(s.Points, Point{Name: "<script>&" + strings.Repeat("é", 40), X: x, Y: y, Shape: "better"})
		}
	}
	wellFormed(t, string(s.SVG()))
}
