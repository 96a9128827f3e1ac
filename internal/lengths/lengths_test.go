package lengths

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/source"
	"github.com/heapwright/heapwright/internal/target"
)

const program = `package grow

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"sort"
	"strings"
)

func key(parts ...string) string {
	b := strings.Builder{} // grows: 22 bytes
	for _, p := range parts {
		b.WriteString(p)
		b.WriteString("$$")
	}
	return b.String()
}

func page(n int) string {
	var buf bytes.Buffer // grows: 176 bytes
	for i := range n {
		fmt.Fprintf(&buf, "<%06d>", i)
	}
	return buf.String()
}

func index(words []string) map[string]int {
	m := map[string]int{} // grows: 44 entries
	for i, w := range words {
		for _, part := range strings.Split(w, " ") {
			m[part] = i
			m[part] += 0
		}
	}
	return m
}

func set(words []string) map[string]bool {
	m := map[string]bool{}
	n := fill(m, words) // grows: 44 entries by a callee
	delete(m, "")
	return keep(m, n)
}

func keep(m map[string]bool, n int) map[string]bool { return m }

func fill(m map[string]bool, words []string) (n int) {
	for _, w := range words {
		for _, part := range strings.Split(w, " ") {
			m[part] = true
			n++
		}
	}
	return n
}

func words(text string) int {
	var all []string // grows: 40 elements
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	sort.Strings(all)
	return len(all)
}

func sum(n int) uint32 {
	var buf bytes.Buffer // grows: 176 bytes
	for i := range n {
		fmt.Fprintf(&buf, "<%06d>", i)
	}
	h := fnv.New32()
	h.Write(buf.Bytes())
	return h.Sum32()
}

func outer(n int) string {
	b := &strings.Builder{}
	inner(b, n) // grows: 176 bytes by a callee
	return b.String()
}

func inner(b *strings.Builder, n int) {
	for i := range n {
		fmt.Fprintf(b, "<%06d>", i)
	}
}

type result struct{ words []string }

func handed(text string) *result {
	all := []string{} // grows: 40 elements
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	return &result{words: all}
}

// The nil of an empty buffer shows.
func body(n int) []byte {
	var buf bytes.Buffer // stays
	for i := range n {
		fmt.Fprintf(&buf, "<%06d>", i)
	}
	return buf.Bytes()
}

// The nil of an empty text shows, so the room comes with the first word.
func returned(text string) []string {
	var all []string // grows: 40 elements
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	return all
}

// The list that is appended may be empty, and the nil stays then.
func returnedParts(texts ...string) []string {
	var all []string // stays
	for _, text := range texts {
		all = append(all, strings.Fields(text)...)
	}
	return all
}

// Most have no long word.
func longWords(text string, i int) *result {
	var all []string // grows: 12 elements
	for w := range strings.FieldsSeq(text) {
		if i%10 == 0 && len(all) < 12 {
			all = append(all, w)
		}
	}
	return &result{all}
}

// Both slices would write to the same room.
func shared(text string) int {
	all := []string{} // stays
	for w := range strings.FieldsSeq(text) {
		more := append(all, w)
		all = append(all, more[0])
	}
	return len(all)
}

// So they would with all of another slice.
func joined(text string) int {
	all := []string{} // stays
	for w := range strings.FieldsSeq(text) {
		more := append(all, strings.Fields(w)...)
		all = append(all, more[0])
	}
	return len(all)
}

// The pointer would refer to an element that is still there.
func pointed(text string) string {
	all := []string{} // stays
	var first *string
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
		if first == nil {
			first = &all[0]
		}
	}
	all[0] = "-"
	return *first
}

// The slices that the closure returned before would have the same room.
func generator() func(w string) []string {
	all := []string{} // stays
	return func(w string) []string {
		all = append(all, w)
		return all
	}
}

// The closure appends to it after somebody else has it.
func later(text string) int {
	all := []string{} // stays
	add := func(w string) { all = append(all, w) }
	for w := range strings.FieldsSeq(text) {
		add(w)
	}
	r := result{words: all}
	add("-")
	return len(r.words)
}

// Whoever gets the buffer sees whether its bytes are nil.
func handedBuffer(n int) bool {
	var buf bytes.Buffer // stays
	for i := range n {
		fmt.Fprintf(&buf, "<%06d>", i)
	}
	return buf.String() != "" && isNil(&buf)
}

func isNil(b *bytes.Buffer) bool { return b.Bytes() == nil }

// A Builder with room must not be copied.
func copied(text string) string {
	var b strings.Builder // stays
	c := b
	c.WriteString(text)
	b.WriteString(text)
	return b.String()
}

// Most stay empty.
func rare(text string, i int) string {
	var b strings.Builder // stays
	if i%10 == 0 {
		b.WriteString(text)
	}
	return b.String()
}
`

// Another build may see that the slice is nil.
const plan9 = "package grow\n\nfunc watched(n *struct{ watched []string }) { println(n.watched == nil, other(nil) == nil) }\n"

const benchmark = `package grow

import (
	"strings"
	"testing"
)

func BenchmarkGrow(b *testing.B) {
	text := strings.Repeat("0123456789 abcdefgh ", 2)
	for i := range 40 {
		text += string(rune('a'+i)) + " "
	}
	text = text[40:]
	for i := range b.N {
		key("abcdefgh", "ijklmnop")
		page(20)
		index([]string{text[:len(text)-1]})
		set([]string{text[:len(text)-1]})
		words(text)
		sum(20)
		outer(20)
		handed(text)
		body(20)
		returned(text)
		returnedParts(text)
		longWords(text, i)
		shared(text)
		joined(text)
		pointed(text)
		next := generator()
		for range 40 {
			next("x")
		}
		later(text)
		handedBuffer(20)
		copied(text)
		rare(text, i)
	}
}
`

// Each comment has the room for the variable of its line, or says that it stays.
func TestLengths(t *testing.T) {
	changes := measure(t, program, benchmark)
	if want := "+\t\tif all == nil {\n+\t\t\tall = make([]string, 0, 40) // nine of ten need no more\n+\t\t}\n \t\tall = append(all, w)"; !slices.ContainsFunc(changes, func(c Change) bool { return strings.Contains(c.Patch, want) }) {
		t.Errorf("no late room")
	}
	for i, text := range []string{"b.Grow(22)             // nine of ten need no more", "buf.Grow(176)        // nine of ten need no more", "m := make(map[string]int, 44)", "m := make(map[string]bool, 44)", "all := make([]string, 0, 40)"} {
		if !strings.Contains(changes[i].Patch, "+\t"+text) {
			t.Errorf("no %s:\n%s", text, changes[i].Patch)
		}
	}
}

// A finding has the change for what grows at its own line, though a caller before it hands over
// something that grows, too.
func TestOwnLineFirst(t *testing.T) {
	sites := []site{{through: []int{0, 1, 2}}, {of: []int{1}}, {of: []int{2}}}
	got := assign(4, sites, []Change{{Patch: "map"}, {Patch: "slice"}, {}})
	for i, want := range []string{"map", "slice", "map", ""} {
		if got[i].Patch != want {
			t.Errorf("finding %d has the change of the %q, want %q", i, got[i].Patch, want)
		}
	}
}

// measure returns a change for each comment of a program's text, and compares their rooms
// with the comments.
func measure(t *testing.T, program, benchmark string) []Change {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "grow.go")
	for name, text := range map[string]string{"go.mod": "module ex.com/grow\n\ngo 1.26\n", "grow.go": program, "grow_test.go": benchmark, "grow_plan9.go": plan9} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x, err := source.Open(t.Context(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Study(t.Context(), []source.Place{{Function: "ex.com/grow.key", File: file, Line: 11}}); err != nil {
		t.Fatal(err)
	}
	out, err := result.Scratch()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(out)
	p := Plan{Target: &target.Packages{Names: []string{"./..."}}, Dir: dir, Source: x, OutDir: out, Budget: 1e9}
	var wants []string
	for i, line := range strings.Split(program, "\n") {
		_, want, ok := strings.Cut(line, "// grows: ")
		want, caller := strings.CutSuffix(want, " by a callee")
		if ok || strings.HasSuffix(line, "// stays") {
			p.Lines, wants = append(p.Lines, Line{File: file, Line: i + 1, Of: len(wants), Caller: caller}), append(wants, want)
		}
	}
	changes, err := Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range changes {
		got := ""
		if c.Patch != "" {
			got = strings.TrimSpace(strings.Join([]string{strconv.Itoa(c.Room), c.Unit}, " "))
		}
		if got != wants[i] {
			t.Errorf("line %d: %q, want %q\n%s", p.Lines[i].Line, got, wants[i], c.Patch)
		}
	}
	return changes
}
