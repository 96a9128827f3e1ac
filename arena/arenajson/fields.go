package arenajson

import (
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A structField is a field as encoding/json sees it.
type structField struct {
	name   string
	tagged bool
	quoted bool
	index  []int // the argument of reflect.Value.FieldByIndex
}

// embedding is a struct whose fields belong to the struct around it.
type embedding struct {
	typ   reflect.Type
	index []int
	times int // how often it is embedded at its depth
}

// fieldsOf returns the fields that JSON names can refer to, in the order of the
// struct. Of the fields with one name those at the least depth count, and of them
// those named by a tag; if more than one is left, there is none. It reports false if
// a tag is unusual.
func fieldsOf(t reflect.Type) ([]structField, bool) {
	var all []structField
	decided, visited := map[string]bool{}, map[reflect.Type]bool{}
	for level := []*embedding{{t, nil, 1}}; len(level) > 0; {
		var next []*embedding
		names := map[string][]structField{}
		for _, e := range level {
			if visited[e.typ] {
				continue
			}
			visited[e.typ] = true
			var ok bool
			if next, ok = e.collect(names, next); !ok {
				return nil, false
			}
		}
		for name, fields := range names {
			if decided[name] {
				continue
			}
			decided[name] = true
			if slices.ContainsFunc(fields, func(f structField) bool { return f.tagged }) {
				fields = slices.DeleteFunc(fields, func(f structField) bool { return !f.tagged })
			}
			if len(fields) == 1 {
				all = append(all, fields[0])
			}
		}
		level = next
	}
	slices.SortFunc(all, func(x, y structField) int { return slices.Compare(x.index, y.index) })
	return all, true
}

// collect adds the fields of a struct by name, and the structs embedded in it. It
// reports false if a tag is unusual.
func (e *embedding) collect(names map[string][]structField, next []*embedding) ([]*embedding, bool) {
	for i := range e.typ.NumField() {
		sf := e.typ.Field(i)
		target := indirect(sf.Type)
		tag := sf.Tag.Get("json")
		if tag == "-" || !sf.IsExported() && (!sf.Anonymous || target.Kind() != reflect.Struct) {
			continue
		}
		name, options, _ := strings.Cut(tag, ",")
		f := structField{name: name, tagged: validName(name), index: append(slices.Clip(e.index), i)}
		if !f.tagged {
			f.name = sf.Name
		}
		f.quoted = slices.Contains(strings.Split(options, ","), "string") && quotable(target.Kind())
		if unusual(sf, f) {
			return nil, false
		}
		if sf.Anonymous && !f.tagged && target.Kind() == reflect.Struct {
			at := slices.IndexFunc(next, func(n *embedding) bool { return n.typ == target })
			if at < 0 {
				next = append(next, &embedding{target, f.index, 1})
			} else {
				next[at].times++
			}
			continue
		}
		for range min(e.times, 2) {
			names[f.name] = append(names[f.name], f)
		}
	}
	return next, true
}

// validName reports whether encoding/json accepts a name from a tag.
func validName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

// indirect returns the type that a pointer without a name leads to.
func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer && t.Name() == "" {
		return t.Elem()
	}
	return t
}

// quotable reports whether the option string acts on values of a kind.
func quotable(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Float64 || k == reflect.String
}

func isASCII(name string) bool {
	return strings.IndexFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// fold appends the name with each letter replaced by the smallest letter that only
// differs in case. Names are the same without regard to case if the results are equal.
func fold(to, name []byte) []byte {
	for i := 0; i < len(name); {
		c := name[i]
		if c < utf8.RuneSelf {
			if 'a' <= c && c <= 'z' {
				c -= 'a' - 'A'
			}
			to = append(to, c)
			i++
			continue
		}
		r, n := utf8.DecodeRune(name[i:])
		i += n
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		to = utf8.AppendRune(to, least)
	}
	return to
}
