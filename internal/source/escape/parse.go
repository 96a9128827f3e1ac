package escape

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The forms of a line of -m output behind its place.
var (
	stepLine  = regexp.MustCompile(`^ {4}from (.*) \(([^()]*)\) at (.+):(\d+):(\d+)$`)
	explained = regexp.MustCompile(`^(.*) escapes to heap(?: in (.+))?:$`)
)

// Parse reads the compiler's output under -gcflags=-m=2 and returns
// the values it spoke of, in the order of their first mention. Lines that it
// does not know are skipped: the go command prints its own between them, and
// each Go adds some.
//
// The compiler explains a value in a block ("x escapes to heap in F:", then
// flow and from lines) and lists it again afterwards without reasons. Both name
// one place, so a listed value that has been explained is not a new one. Inlined code
// is explained again, at the place of the call. A package that is compiled twice, as
// tests do, is explained twice.
func Parse(r io.Reader) ([]Value, error) {
	p := parser{at: map[Position][]int{}}
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			p.line(line)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	for i := range p.all {
		p.all[i].finish()
	}
	return p.all, nil
}

type parser struct {
	all  []Value
	at   map[Position][]int // indices of all by place
	open int                // 1 + index of the value that is being explained; 0 for none
}

func (p *parser) line(line string) {
	at, text, ok := CutPosition(line)
	if !ok {
		p.open = 0
		return
	}
	if strings.HasPrefix(text, "  ") {
		p.step(text)
		return
	}
	p.open = 0
	if strings.HasSuffix(text, ":") {
		if h := explained.FindStringSubmatch(text); h != nil {
			p.explain(Value{Position: at, What: h[1], Function: h[2]})
		}
	} else if value, ok := strings.CutSuffix(text, " escapes to heap"); ok {
		p.list(value, Value{Position: at, What: value})
	} else if value, ok := strings.CutPrefix(text, "moved to heap: "); ok {
		p.list(value, Value{Position: at, What: text})
	} else if value, ok := strings.CutSuffix(text, " does not escape"); ok && strings.ContainsAny(value, "([{ ") {
		// Only values: a parameter that does not escape is no allocation.
		p.list(value, Value{Position: at, What: value, Stays: true})
	}
}

func (p *parser) explain(e Value) {
	again := func(i int) bool { return p.all[i].What == e.What && p.all[i].Function == e.Function }
	if !slices.ContainsFunc(p.at[e.Position], again) {
		p.add(e)
		p.open = len(p.all)
	}
}

func (p *parser) step(text string) {
	if p.open == 0 {
		return // a parameter that leaks is no allocation, or the value was explained before
	}
	if m := stepLine.FindStringSubmatch(text); m != nil {
		e := &p.all[p.open-1]
		e.steps = append(e.steps, step{from: m[1], reason: m[2], at: position(m[3], m[4], m[5])})
	}
}

// list adds a value unless the compiler has spoken of it already. Since Go 1.26
// it explains append(s, x) and lists it as append.
func (p *parser) list(value string, e Value) {
	for _, i := range p.at[e.Position] {
		known := &p.all[i]
		if known.What == e.What || known.What == value ||
			value == "append" && strings.HasPrefix(known.What, "append(") {
			if value != "append" {
				known.What = e.What
			}
			return
		}
	}
	p.add(e)
}

func (p *parser) add(e Value) {
	p.at[e.Position] = append(p.at[e.Position], len(p.all))
	p.all = append(p.all, e)
}

// CutPosition cuts "file:line:column: " off a line. Paths may hold a drive letter,
// so the first colon with two numbers behind it ends them. It is written out:
// the compiler says 74,000 lines of 400 files, and a pattern for them took a tenth
// of a diagnosis.
func CutPosition(line string) (at Position, text string, ok bool) {
	for i := 1; i < len(line); i++ {
		if line[i] != ':' {
			continue
		}
		if l, rest, ok := cutDigits(line[i+1:]); ok {
			if c, rest, ok := cutDigits(rest); ok && strings.HasPrefix(rest, " ") {
				return position(line[:i], l, c), rest[1:], true
			}
		}
	}
	return Position{}, "", false
}

// cutDigits cuts digits and the colon behind them.
func cutDigits(s string) (digits, rest string, ok bool) {
	n := 0
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n == 0 || n == len(s) || s[n] != ':' {
		return "", "", false
	}
	return s[:n], s[n+1:], true
}

// position takes digits; a number that does not fit is unknown.
func position(file, line, column string) Position {
	p := Position{File: file}
	if n, err := strconv.Atoi(line); err == nil {
		p.Line = n
	}
	if n, err := strconv.Atoi(column); err == nil {
		p.Column = n
	}
	return p
}
