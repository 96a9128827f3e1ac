package lengths

import (
	"strings"
	"testing"
)

// The room is the caller's to see, or nobody's.
const handing = `package grow

import (
	"reflect"
	"strings"
)

type lexer struct {
	tokens []string
	Public []string
	rest   []string
}

// All that have it read its elements, whichever way they get it.
func (l *lexer) scan(text string) ([]string, bool) {
	var all []string // grows: 44 elements
	for w := range strings.FieldsSeq(text) {
		switch {
		case w == "":
			return all, false
		case len(w) > 1:
			all = append(all, w)
		default:
			all = append(all, "?", w)
		}
	}
	all = append(all, "end")
	return all, true
}

func (l *lexer) run(text string) int {
	all, ok := l.scan(text)
	if !ok {
		return 0
	}
	l.tokens = all
	return count(l.tokens) + count(all[1:])
}

func count(all []string) (n int) {
	for _, s := range all {
		n += len(s)
	}
	return n + len(all)
}

// The caller compares it with nil.
func compared(text string) []string {
	var all []string // stays
	if text == "" {
		all = append(all, "none")
	}
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	return all
}

// Other packages may call it.
func Exported(text string) []string {
	var all []string // stays
	if text == "" {
		all = append(all, "none")
	}
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	return all
}

// A value of the function is called elsewhere.
func valued(text string) []string {
	var all []string // stays
	if text == "" {
		all = append(all, "none")
	}
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	return all
}

// Another build calls it.
func other(text *string) []string {
	var all []string // stays
	if text == nil {
		all = append(all, "none")
	} else {
		for w := range strings.FieldsSeq(*text) {
			all = append(all, w)
		}
	}
	return all
}

func length(text string) int { return len(other(&text)) }

// Other packages see the field.
func (l *lexer) public(text string) {
	var all []string // stays
	if text == "" {
		all = append(all, "none")
	}
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	l.Public = all
}

// An interface shows the slice.
func boxed(text string) any {
	var all []string // stays
	if text == "" {
		all = append(all, "none")
	}
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	return all
}

type scanner interface{ split(text string) []string }

// The caller is not known: it calls a method of an interface.
func (l *lexer) split(text string) []string {
	var all []string // stays
	if text == "" {
		all = append(all, "none")
	}
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	return all
}

// A stack becomes shorter and longer again.
func stacked(text string) int {
	var (
		depth  int
		opened []string // grows: 22 elements
	)
	for range 20 {
		opened = append(opened, text)
		depth++
	}
	for len(opened) > 1 {
		opened = opened[:len(opened)-1]
	}
	return len(opened) + depth
}

// Both have the same room.
func cut(text string) int {
	var all []string // stays
	for w := range strings.FieldsSeq(text) {
		all = append(all, w)
	}
	half := all[:20]
	half = append(half, "-")
	all = append(all, half...)
	return len(all)
}
`

const handingBenchmark = `package grow

import (
	"strings"
	"testing"
)

func BenchmarkHanding(b *testing.B) {
	text := strings.Repeat("ab cd ", 20)
	var l lexer
	var s scanner = &l
	f := valued
	for range 50 * b.N {
		l.run(text)
		if compared(text) == nil {
			b.Fatal("nil")
		}
		Exported(text)
		f(text)
		l.public(text)
		length(text)
		boxed(text)
		s.split(text)
		stacked(text)
		cut(text)
	}
}
`

func TestBlind(t *testing.T) {
	// The files of tests are not looked at, but run.
	program := strings.Replace(handing, `import (
	"reflect"
	"strings"
)`, `import "strings"

var called = []any{compared("") == nil, valued, scanner(&lexer{}).split("")}`, 1)
	changes := measure(t, program, handingBenchmark)
	if want := "+\tall := make([]string, 0, 44)"; !strings.Contains(changes[0].Patch, want) {
		t.Errorf("no %s:\n%s", want, changes[0].Patch)
	}
	const group = "+\t\topened = make([]string, 0, 22)"
	if !strings.Contains(changes[8].Patch, group) {
		t.Errorf("no %s:\n%s", group, changes[8].Patch)
	}
}

// A package that compares whole values sees the fields of a struct.
func TestBlindReflect(t *testing.T) {
	program := strings.Replace(handing, "grows: 44 elements", "stays", 1)
	program = strings.ReplaceAll(program, "type scanner", `var same = reflect.DeepEqual(&lexer{}, &lexer{rest: nil})

type scanner`)
	measure(t, program, handingBenchmark)
}
