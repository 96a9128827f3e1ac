package flame

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/heapwright/heapwright/internal/cost"
	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// The SVG's measures in pixels. Text is of a monospaced face at 0.6 em a sign,
// as the usual ones are; where it is wider the box clips it.
const (
	svgWidth  = 1200
	svgMargin = 12
	svgRow    = 18
	svgSign   = 7.2  // a sign of a 12 px font
	svgMin    = 1.0  // narrower boxes are elided
	svgTop    = 64   // room for the heading
	svgDepth  = 1000 // rows at most: few programs draw more than 18,000 pixels
)

// WriteSVG draws the column shown first as a static picture, the caller above
// the callee. It follows the reader's light or dark scheme and runs no script.
func (t *Tree) WriteSVG(w io.Writer) error {
	out := bufio.NewWriter(w)
	s := &svg{Writer: out, tree: t, weight: t.Weights(t.Column), totals: t.Totals(t.Column),
		before: t.BaseTotals(t.Column)}
	s.unit, s.scale, s.classes = t.Types[t.Column].Unit, t.Scale(t.Column), t.dominant(t.Column)
	s.draw()
	return out.Flush()
}

type svg struct {
	*bufio.Writer
	tree           *Tree
	weight         []float64
	totals, before []int64
	unit           string
	scale          float64
	classes        []cost.Class // node → class; nil if the profile has none or is compared
}

func (s *svg) draw() {
	inner := float64(svgWidth - 2*svgMargin)
	drawn, left := s.tree.boxes(s.weight, svgMin/inner, svgDepth)
	rows := int32(1)
	for _, b := range drawn {
		rows = max(rows, b.depth+1)
	}
	for _, r := range left {
		rows = max(rows, r.depth+1)
	}
	legend := s.legend()
	foot := svgTop + int(rows)*svgRow + 22
	height := foot + 20*(legend[len(legend)-1].row+1) + 12
	fmt.Fprintf(s, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="t">`+"\n",
		svgWidth, height)
	fmt.Fprintf(s, "<style>%s</style>\n", s.style())
	fmt.Fprintf(s, `<rect class="paper" width="100%%" height="100%%"/>`+"\n")
	s.text("title", svgMargin, 26, `id="t" `, clipped(s.tree.Title, 110))
	s.text("sub", svgMargin, 46, "", s.tree.summary())
	for _, b := range drawn {
		s.box(b, svgMargin+b.x*inner, b.w*inner)
	}
	elided := 0
	for _, r := range left {
		elided += r.count
		if w := r.w * inner; w >= svgMin {
			s.rest(r, svgMargin+r.x*inner, w)
		}
	}
	for _, e := range legend {
		y := foot + 20*e.row
		fmt.Fprintf(s, `<rect class="%s" x="%d" y="%d" width="11" height="11"/>`, e.class, e.x, y-10)
		s.text("sub", e.x+17, y, "", e.text)
	}
	s.text("sub", svgMargin, height-12, "", s.footer(elided, len(drawn) == 0))
	s.WriteString("</svg>\n")
}

func (s *svg) text(class string, x, y int, attrs, text string) {
	fmt.Fprintf(s, `<text class="%s" %sx="%d" y="%d">%s</text>`+"\n", class, attrs, x, y, escaped(text))
}

// box is an SVG of its own, because that clips its text in every viewer.
func (s *svg) box(b box, x, w float64) {
	name := s.tree.Frames[s.tree.Frame[b.node]].Name
	fmt.Fprintf(s, `<svg x="%.1f" y="%d" width="%.1f" height="%d" class="%s"><title>%s</title><rect width="100%%" height="100%%"/>`,
		x, svgTop+int(b.depth)*svgRow, max(w-1, 0.6), svgRow-1, s.class(b.node), escaped(s.tooltip(b.node)))
	if label := label(name, int((w-7)/svgSign)); label != "" {
		fmt.Fprintf(s, `<text x="3" y="12.5">%s</text>`, escaped(label))
	}
	s.WriteString("</svg>\n")
}

func (s *svg) rest(r rest, x, w float64) {
	fmt.Fprintf(s, `<svg x="%.1f" y="%d" width="%.1f" height="%d" class="rest"><title>%s</title><rect width="100%%" height="100%%"/></svg>`+"\n",
		x, svgTop+int(r.depth)*svgRow, max(w-1, 0.6), svgRow-1,
		escaped(fmt.Sprintf("%d boxes too narrow to draw, %s together", r.count, format.Share(r.sum))))
}

// label is as much of a name as n signs hold, without its path or its package if
// that helps; less than three say nothing.
func label(name string, n int) string {
	if utf8.RuneCountInString(name) > n {
		name = profile.ShortName(name)
	}
	if utf8.RuneCountInString(name) > n {
		name = name[strings.IndexByte(name, '.')+1:]
	}
	if n < 3 {
		return ""
	}
	return clipped(name, n)
}

func (s *svg) class(node int32) string {
	t := s.tree
	switch {
	case node == 0:
		return "root"
	case s.classes != nil:
		return fmt.Sprintf("c%d", s.classes[node])
	case t.Base == nil:
		return fmt.Sprintf("c%d", t.Frames[t.Frame[node]].tone())
	case s.totals[node] == 0 && s.before[node] != 0:
		return "c0 gone"
	}
	return fmt.Sprintf("c%d", change(float64(s.totals[node]), s.scale*float64(s.before[node])))
}

func (s *svg) tooltip(node int32) string {
	t := s.tree
	v := float64(s.totals[node])
	text := t.Frames[t.Frame[node]].Name + "\n"
	if t.Base == nil {
		text += amount(v, s.unit) + ", " + format.Share(v/float64(s.totals[0])) + " of all"
		if self := t.Self[t.Column][node]; self != 0 {
			text += "; " + amount(float64(self), s.unit) + " of its own"
		}
		return text
	}
	before := s.scale * float64(s.before[node])
	return text + amount(before, s.unit) + " before, " + amount(v, s.unit) + " after: " + difference(v, before, s.unit)
}

// summary names the sample type and its sum.
func (t *Tree) summary() string {
	kind, c := t.Types[t.Column], t.Column
	sum := func(self []int64) (v float64) {
		for _, x := range self {
			v += float64(x)
		}
		return v
	}
	stacks, gone := t.Stacks(c)
	after := sum(t.Self[c])
	if t.Base == nil {
		return fmt.Sprintf("%s: %s in %d stacks", termtext.Harmless(kind.Type), amount(after, kind.Unit), stacks)
	}
	before := sum(t.Base[c])
	text := fmt.Sprintf("%s: %s before, %s after, %s", termtext.Harmless(kind.Type), amount(before, kind.Unit),
		amount(after, kind.Unit),
		difference(after, before, kind.Unit))
	if before != 0 {
		text += " (" + format.Change(after/before) + ")"
	}
	if t.Normalized {
		text += ", before scaled to after"
	}
	return fmt.Sprintf("%s; %d of %d stacks only before", text, gone, stacks)
}

func (s *svg) footer(elided int, nothing bool) string {
	text := "the caller is above, the heaviest callee on the left"
	if s.tree.Inverted {
		text = "the running functions on top, their callers below"
	}
	if nothing {
		return "nothing was recorded of " + termtext.Harmless(s.tree.Types[s.tree.Column].Type) +
			" here; choose another sample type"
	}
	if elided > 0 {
		text += fmt.Sprintf("; %d boxes narrower than %s elided", elided, format.Share(svgMin/(svgWidth-2*svgMargin)))
	}
	return text
}

// style has one class for each colour, so that viewers without variables serve.
func (s *svg) style() string {
	var b strings.Builder
	b.WriteString("text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1b2027}" +
		".title{font:600 18px system-ui,sans-serif}.sub{font:13px system-ui,sans-serif;fill:#5c6673}" +
		".paper{fill:#fff}.root{fill:#e3e6ea}.rest{fill:" + light.rest.hex() +
		"}.gone{stroke:#5c6673;stroke-dasharray:3 2}")
	s.fills(&b, light)
	b.WriteString("@media(prefers-color-scheme:dark){text{fill:#f1f3f5}.sub{fill:#9aa4b0}.paper{fill:#14171b}.root{fill:#2b3038}.rest{fill:" +
		dark.rest.hex() + "}.gone{stroke:#9aa4b0}")
	s.fills(&b, dark)
	b.WriteString("}")
	return b.String()
}

func (s *svg) fills(b *strings.Builder, of theme) {
	fills := of.tones[:]
	switch {
	case s.tree.Base != nil:
		fills = of.changes[:]
	case s.classes != nil:
		fills = of.classes
	}
	for i, c := range fills {
		fmt.Fprintf(b, ".c%d{fill:%s}", i, c.hex())
	}
}

func escaped(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder does not fail
	return b.String()
}
