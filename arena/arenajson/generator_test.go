package arenajson

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A generator makes types by reflection and inputs that nearly suit them.
type generator struct {
	*rand.Rand
	tags []string // names in tags, and empty ones
	opts []string // options in tags
}

// newGenerator returns a generator for one type. One in three has unusual tags.
func newGenerator(r *rand.Rand) generator {
	g := generator{r, plainNames, plainOptions}
	if r.IntN(3) == 0 {
		g.tags, g.opts = append(slices.Clip(g.tags), unusualNames...), append(slices.Clip(g.opts), unusualOptions...)
	}
	return g
}

func pick[T any](g generator, from []T) T { return from[g.IntN(len(from))] }

type (
	integerPointer *int
	keyPointer     *Key
	numberLike     json.Number
	small          uint8
	moment         struct{ time.Time }
	stamp          struct{ time.Time }
	withNumber     struct{ json.Number }

	// ID embeds the same name at two depths and in two cases.
	ID struct {
		Deep
		Id int `json:"id"`
		ID string
	}
	inner struct {
		A int
		K string `json:"k,omitempty"`
	}
	nestedInner struct {
		inner
		*Deep `json:",inline"`
		AB    int `json:",string"`
	}
	namedInner struct {
		inner `json:"a"`
		A     string
	}
	namedMoment struct {
		moment `json:"A"`
		stamp  `json:"B"` // has the same methods, so that the struct has none
		Embedded
	}
)

// A loud is decoded by its own method, which notes its argument.
type loud struct{ Given string }

func (l *loud) UnmarshalJSON(data []byte) error {
	l.Given = string(data)
	return nil
}

// A list is decoded from text by its own method.
type list []string

func (l *list) UnmarshalText(text []byte) error {
	*l = strings.Split(string(text), ",")
	return nil
}

var leaves = append([]reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[uint16](), reflect.TypeFor[uint64](),
	reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[kind](), reflect.TypeFor[[]byte](),
	reflect.TypeFor[[]small](), reflect.TypeFor[[2]byte](), reflect.TypeFor[json.Number](), reflect.TypeFor[numberLike](),
	reflect.TypeFor[json.RawMessage](), reflect.TypeFor[any](), reflect.TypeFor[error](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[Key](), reflect.TypeFor[list](), reflect.TypeFor[loud](),
	reflect.TypeFor[moment](), reflect.TypeFor[withNumber](), reflect.TypeFor[struct{ time.Time }](), reflect.TypeFor[struct{ *Key }](),
	reflect.TypeFor[integerPointer](), reflect.TypeFor[keyPointer](), reflect.TypeFor[ID](), reflect.TypeFor[nestedInner](),
	reflect.TypeFor[namedInner](), reflect.TypeFor[namedMoment](),
}, leavesOfVersion...)

// quoted are types for which the option string is meant, and some for which it is not.
var quoted = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint64](), reflect.TypeFor[float32](), reflect.TypeFor[string](),
	reflect.TypeFor[json.Number](), reflect.TypeFor[[]byte](), reflect.TypeFor[*int](), reflect.TypeFor[integerPointer](),
}

var mapKeys = []reflect.Type{
	reflect.TypeFor[string](), reflect.TypeFor[kind](), reflect.TypeFor[int8](), reflect.TypeFor[uint64](), reflect.TypeFor[json.Number](),
	reflect.TypeFor[Key](), reflect.TypeFor[bool](), reflect.TypeFor[float64](),
}

func (g generator) typ(depth int) reflect.Type {
	if depth > 0 {
		switch g.IntN(10) {
		case 0, 1:
			return reflect.PointerTo(g.typ(depth - 1))
		case 2:
			return reflect.SliceOf(g.typ(depth - 1))
		case 3:
			return reflect.ArrayOf(g.IntN(3), g.typ(depth-1))
		case 4:
			return reflect.MapOf(pick(g, mapKeys), g.typ(depth-1))
		case 5, 6, 7:
			return g.structure(depth)
		}
	}
	return pick(g, leaves)
}

// Names that are the same without regard to case, or nearly.
var (
	goNames        = []string{"A", "Ab", "AB", "K", "Id", "ID", "X1"}
	plainNames     = []string{"", "", "", "", "", "", "a", "A", "ab", "AB", "aB", "k", "\u212a", "id", "ID", "a-b", "a_b"}
	unusualNames   = []string{"-", "€", "A B", "'a'", `a\b`, "ı"}
	plainOptions   = []string{"omitempty", "string", "string", "string"}
	unusualOptions = []string{
		"omitzero", "inline", "embed", "unknown", "case:ignore", "case:strict", "format:hex", "String", "string ", " string", "required", "", "'string'",
	}
)

// structure makes a struct type with fields of any type, in any order, some of them
// structs that are embedded.
func (g generator) structure(depth int) reflect.Type {
	var fields []reflect.StructField
	for _, i := range g.Perm(len(goNames))[:1+g.IntN(len(goNames)-1)] {
		f := reflect.StructField{Name: goNames[i], Type: g.typ(depth - 1)}
		if g.IntN(3) == 0 { // one that may be embedded: it has no methods
			if depth > 0 {
				f.Type = g.structure(depth - 1)
			} else {
				f.Type = pick(g, []reflect.Type{reflect.TypeFor[ID](), reflect.TypeFor[nestedInner](), reflect.TypeFor[namedInner](),
					reflect.TypeFor[namedMoment](), reflect.TypeFor[Deep](), reflect.TypeFor[int]()})
			}
			if f.Anonymous = g.IntN(5) > 0; f.Anonymous && g.IntN(4) == 0 {
				f.Type = reflect.PointerTo(f.Type)
			}
		}
		tag := ""
		if !f.Anonymous || g.IntN(4) == 0 {
			tag = pick(g, g.tags)
		}
		for g.IntN(4) == 0 {
			tag += "," + pick(g, g.opts)
		}
		if strings.Contains(tag, "string") && !f.Anonymous && g.IntN(2) == 0 {
			if f.Type = pick(g, quoted); g.IntN(2) == 0 {
				f.Type = reflect.PointerTo(f.Type)
			}
		}
		if tag != "" {
			f.Tag = reflect.StructTag("json:" + strconv.Quote(tag))
		}
		fields = append(fields, f)
	}
	return reflect.StructOf(fields)
}

var (
	wholes  = []string{"0", "1", "-1", "127", "128", "65535", "007", "1.5", "1e2", "18446744073709551615", "-0"}
	strs    = []string{`""`, `"a"`, `"null"`, `"\u006eull"`, `"true"`, `"12"`, `"x\ny"`, `"\ud800"`, "\"\xff\"", `"ä"`, `"AQID"`, `"2024-01-02T03:04:05Z"`, `"1,2"`}
	strange = []string{"null", "null", "true", "false", "[]", "{}", `[1,"a"]`, `{"a":1,"K":"k"}`, `"\"null\""`, `"\"a\""`, `"\"\\ud800\""`, `"+1"`}
)

// value makes a value that a type may accept.
func (g generator) value(t reflect.Type, depth int) string {
	if g.IntN(12) == 0 || depth == 0 {
		return pick(g, [][]string{strange, strange, wholes, strs}[g.IntN(4):][0])
	}
	switch t.Kind() {
	case reflect.Bool:
		return pick(g, []string{"true", "false"})
	case reflect.String:
		if t == reflect.TypeFor[json.Number]() {
			return pick(g, wholes)
		}
		return pick(g, strs)
	case reflect.Pointer:
		return g.value(t.Elem(), depth)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 || t == reflect.TypeFor[list]() {
			return pick(g, strs)
		}
		var values []string
		for range g.IntN(4) {
			values = append(values, g.value(t.Elem(), depth-1))
		}
		return "[" + strings.Join(values, ",") + "]"
	case reflect.Map:
		var members []string
		for range g.IntN(3) {
			members = append(members, strconv.Quote(pick(g, []string{"a", "1", "-2", "null", "true", "1e1", "300"}))+":"+g.value(t.Elem(), depth-1))
		}
		return "{" + strings.Join(members, ",") + "}"
	case reflect.Struct:
		switch {
		case t == reflect.TypeFor[Key](), t == reflect.TypeFor[time.Time](), t.NumMethod() > 0:
			return pick(g, []string{`"2024-01-02T03:04:05Z"`, `"a"`, "12", "null"})
		}
		return g.object(t, depth)
	case reflect.Interface:
		return pick(g, strange)
	}
	return pick(g, wholes)
}

// object makes an object with members for fields of a struct, some of them twice,
// in another case, or quoted.
func (g generator) object(t reflect.Type, depth int) string {
	var members []string
	for range g.IntN(6) {
		in := t
		f := in.Field(g.IntN(in.NumField()))
		for f.Anonymous && f.Type.Kind() == reflect.Struct && f.Type.NumField() > 0 {
			f = f.Type.Field(g.IntN(f.Type.NumField()))
		}
		name, opts, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		switch g.IntN(8) {
		case 0:
			name = strings.ToUpper(name)
		case 1:
			name = strings.ToLower(name)
		case 2:
			name = pick(g, plainNames)
		}
		value := g.value(f.Type, depth-1)
		if strings.Contains(opts, "string") && g.IntN(6) > 0 {
			value = pick(g, []string{quote(value), quote(value), quote(value), `"null"`, `"\u006eull"`})
		}
		members = append(members, quote(name)+":"+value)
	}
	return "{" + strings.Join(members, ",") + "}"
}

// quote returns a string of JSON.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("%q: %v", s, err)) // cannot be
	}
	return string(b)
}
