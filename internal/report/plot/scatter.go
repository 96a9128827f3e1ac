package plot

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// Point is something that costs two things, as ratios to the baseline. Less is
// better of both.
type Point struct {
	Name  string
	X, Y  float64
	Shape string // id of the page's symbol; also the CSS class
}

// Front returns, for each point, whether it is on the Pareto front: no other
// is as good in both and better in one.
func Front(points []Point) []bool {
	front := make([]bool, len(points))
	for i, p := range points {
		front[i] = !slices.ContainsFunc(points, func(q Point) bool {
			return q.X <= p.X && q.Y <= p.Y && (q.X < p.X || q.Y < p.Y)
		})
	}
	return front
}

// Scatter is a figure of points on two axes of ratios.
type Scatter struct {
	Points        []Point
	XTitle        string
	YTitle        string
	Width, Height float64 // CSS pixels
}

const (
	marginLeft   = 72
	marginBottom = 44
	marginTop    = 14
)

// marginRight is room for the names of the points furthest right, most often
// the baseline.
func (s Scatter) marginRight() float64 { return s.Width / 8 }

// SVG draws the points, their names, and the front as a staircase: whatever
// lies right of and above it costs more of both than some point on it.
func (s Scatter) SVG() template.HTML {
	var xs, ys []float64
	for _, p := range s.Points {
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	f := frame{s, NewAxis(xs), NewAxis(ys)}
	var b strings.Builder
	fmt.Fprintf(&b,
		`<svg class="scatter" viewBox="0 0 %[1]s %[2]s" width="%[1]s" height="%[2]s" role="img" aria-label="%[3]s">`,
		number(s.Width), number(s.Height),
		template.HTMLEscapeString(s.XTitle+" against "+s.YTitle+"; the table below has the same figures"))
	f.drawAxes(&b)
	front := Front(s.Points)
	f.drawFront(&b, front)
	taken := f.marks()
	for i, p := range s.Points {
		x, y := f.at(p)
		class := "off"
		if front[i] {
			class = "on"
		}
		fmt.Fprintf(&b, `<g class="%s %s"><title>%s</title><use href="#%s" x="%s" y="%s"/>`,
			p.Shape, class, template.HTMLEscapeString(p.Name), p.Shape, number(x), number(y))
		name := shorten(p.Name)
		box := f.place(x, y, name, taken)
		taken = append(taken, box)
		if end, far := box.nearest(x, y); far {
			fmt.Fprintf(&b, `<line class="leader" x1="%s" y1="%s" x2="%s" y2="%s"/>`, number(x), number(y),
				number(end.x), number(end.y))
		}
		fmt.Fprintf(&b, `<text x="%s" y="%s">%s</text></g>`, number(box.x), number(box.y+box.h-4),
			template.HTMLEscapeString(name))
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}

// frame is a scatter with its axes.
type frame struct {
	Scatter
	x, y Axis
}

// at returns where a point lies, in pixels from the top left.
func (f frame) at(p Point) (x, y float64) {
	px, _ := f.x.At(p.X)
	py, _ := f.y.At(p.Y)
	return marginLeft + px*(f.Width-marginLeft-f.marginRight()),
		f.Height - marginBottom - py*(f.Height-marginTop-marginBottom)
}

func (f frame) drawAxes(b *strings.Builder) {
	right, bottom := f.Width-f.marginRight(), f.Height-marginBottom
	line := func(t Tick, x1, y1, x2, y2 float64) {
		class := "grid"
		if t.Label == "0%" {
			class = "zero"
		}
		fmt.Fprintf(b, `<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, number(x1), number(y1),
			number(x2), number(y2))
	}
	for _, t := range f.x.ticks(62 / (right - marginLeft)) { // 62 px: a label and a gap
		x := marginLeft + t.At*(right-marginLeft)
		line(t, x, marginTop, x, bottom)
		fmt.Fprintf(b, `<text class="tick x" x="%s" y="%s">%s</text>`, number(x), number(bottom+17), t.Label)
	}
	for _, t := range f.y.ticks(40 / (bottom - marginTop)) {
		y := bottom - t.At*(bottom-marginTop)
		line(t, marginLeft, y, right, y)
		fmt.Fprintf(b, `<text class="tick y" x="%d" y="%s">%s</text>`, marginLeft-8, number(y+4), t.Label)
	}
	fmt.Fprintf(b, `<text class="title" x="%s" y="%s">%s</text>`, number(right), number(f.Height-8),
		template.HTMLEscapeString(f.XTitle))
	fmt.Fprintf(b, `<text class="title" transform="translate(13 %d) rotate(-90)">%s</text>`, marginTop,
		template.HTMLEscapeString(f.YTitle))
}

// drawFront joins the points of the front by steps.
func (f frame) drawFront(b *strings.Builder, front []bool) {
	var on []Point
	for i, p := range f.Points {
		if front[i] {
			on = append(on, p)
		}
	}
	if len(on) < 2 {
		return
	}
	slices.SortFunc(on, func(p, q Point) int { return cmp.Compare(p.X, q.X) })
	b.WriteString(`<path class="front" d="`)
	for i, p := range on {
		x, y := f.at(p)
		if i == 0 {
			fmt.Fprintf(b, "M%s %s", number(x), number(y))
		} else {
			fmt.Fprintf(b, "H%sV%s", number(x), number(y))
		}
	}
	b.WriteString(`"/>`)
}

// box is a rectangle, its top left corner and size.
type box struct{ x, y, w, h float64 }

func (a box) overlaps(b box) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
}

// nearest returns the place on a box's upper or lower edge that is nearer to a
// point, and whether it is so far off that the eye needs a line.
func (a box) nearest(x, y float64) (end box, far bool) {
	end = box{x: max(a.x+2, min(x, a.x+a.w-2)), y: a.y}
	if y > a.y+a.h {
		end.y = a.y + a.h
	}
	return end, math.Hypot(end.x-x, end.y-y) > 16
}

// marks returns the boxes that names must not cover: the points.
func (f frame) marks() []box {
	var all []box
	for _, p := range f.Points {
		x, y := f.at(p)
		all = append(all, box{x: x - 7, y: y - 7, w: 14, h: 14})
	}
	return all
}

// place finds room for a name near its point: right, left, above or below, and
// then further off. Where all is taken it stays at the right.
func (f frame) place(x, y float64, name string, taken []box) box {
	w, h := 7.3*float64(len([]rune(name)))+4, 16.0 // 7.3: a monospaced character of 12 px
	var first box
	for _, d := range []float64{9, 20, 34, 50, 68} {
		for i, c := range []box{
			{x + 9, y - h/2, w, h}, {x - 9 - w, y - h/2, w, h}, {x - w/2, y - d - h, w, h}, {x - w/2, y + d, w, h},
			{x + 6, y - d - h, w, h}, {x + 6, y + d, w, h}, {x - 6 - w, y - d - h, w, h}, {x - 6 - w, y + d, w, h},
		} {
			if d == 9 && i == 0 {
				first = c
				first.x = math.Max(0, math.Min(first.x, f.Width-w))
			}
			inside := c.x >= marginLeft && c.x+c.w <= f.Width && c.y >= 0 && c.y+c.h <= f.Height-marginBottom
			if inside && !slices.ContainsFunc(taken, c.overlaps) {
				return c
			}
		}
	}
	return first
}

// shorten keeps a name to a length that a figure has room for; its title has the whole
// name.
func shorten(name string) string {
	const most = 26
	r := []rune(name)
	if len(r) <= most {
		return name
	}
	return string(r[:most-1]) + "…"
}
