package arena

import (
	"reflect"
	"strings"
	"unsafe"
)

// Promote returns a deep copy of v that does not need its arena: every value in
// the memory of an arena that v leads to, through pointers, slices, strings,
// maps, interfaces and unexported fields, is copied to the heap, and so are the
// maps and slices on the way. Values that two pointers share stay shared, and
// cycles stay cycles; a pointer into the middle of another value gets a copy of
// its own. An *Arena becomes nil, so that a [Map] or [Buffer] goes on with the
// heap.
//
// A heap value that v itself points to is made independent in place. Other
// pointers to heap values are kept and not followed, nor are functions, channels
// and unsafe.Pointers. Promote must not run while another goroutine changes v.
func Promote[T any](v T) T {
	p := promotion{seen: map[promoted]reflect.Value{}}
	in := reflect.ValueOf(&v).Elem()
	if in.Kind() == reflect.Pointer && !in.IsNil() {
		p.root = in.UnsafePointer()
	}
	p.fix(in)
	for len(p.fills) > 0 {
		last := len(p.fills) - 1
		fill := p.fills[last]
		p.fills = p.fills[:last]
		fill()
	}
	for _, m := range p.maps {
		m.rehash()
	}
	return v
}

// A promotion is one run of Promote.
type promotion struct {
	root unsafe.Pointer // what the argument points to, until it is fixed
	seen map[promoted]reflect.Value

	// fills completes the copies. It is no recursion: a list may be longer than a
	// stack can be deep.
	fills []func()
	maps  []interface{ rehash() } // whose keys may have become others
}

// promoted identifies what was copied. Length tells slices of one array apart.
type promoted struct {
	addr unsafe.Pointer
	typ  reflect.Type
	len  int
}

var arenaPointer = reflect.TypeFor[*Arena]()

// fix makes v, which is settable and already a copy, independent of arenas.
func (p *promotion) fix(v reflect.Value) {
	if !hasPointers(v.Type()) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type() == arenaPointer {
			v.SetZero()
		} else if at := v.UnsafePointer(); contains(at) {
			p.share(v, at, 0, func() reflect.Value { return shallowCopy(v) }, func(c reflect.Value) { p.fix(c.Elem()) })
		} else if at != nil && at == p.root {
			p.root = nil // once
			p.fix(v.Elem())
		}
	case reflect.Slice:
		if at := v.UnsafePointer(); contains(at) || v.Len() > 0 && hasPointers(v.Type().Elem()) {
			p.share(v, at, v.Len(), func() reflect.Value { return shallowCopy(v) }, p.fixEach)
		}
	case reflect.String:
		if s := v.String(); containsString(s) {
			v.SetString(strings.Clone(s))
		}
	case reflect.Map:
		if !v.IsNil() {
			from := settable(v) // v itself gets the copy
			p.share(v, v.UnsafePointer(), 0, func() reflect.Value { return reflect.MakeMapWithSize(v.Type(), v.Len()) },
				func(c reflect.Value) { p.fillMap(c, from) })
		}
	case reflect.Interface:
		if !v.IsNil() {
			c := settable(v.Elem())
			p.fix(c)
			v.Set(c)
		}
	case reflect.Array:
		p.fixEach(v)
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			p.fix(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()) // unexported ones too
		}
		if m, ok := v.Addr().Interface().(interface{ rehash() }); ok {
			p.maps = append(p.maps, m)
		}
	}
}

// share puts a copy in the place of v, one for all that refer to the same. It is
// filled later.
func (p *promotion) share(v reflect.Value, at unsafe.Pointer, n int, copied func() reflect.Value, fill func(reflect.Value)) {
	key := promoted{at, v.Type(), n}
	c, ok := p.seen[key]
	if !ok {
		c = copied()
		p.seen[key] = c
		p.fills = append(p.fills, func() { fill(c) })
	}
	v.Set(c)
}

func (p *promotion) fixEach(v reflect.Value) {
	for i := range v.Len() {
		p.fix(v.Index(i))
	}
}

// fillMap copies the entries of a map. Keys are fixed as well: strings mostly.
func (p *promotion) fillMap(to, from reflect.Value) {
	for it := from.MapRange(); it.Next(); {
		k, v := settable(it.Key()), settable(it.Value())
		p.fix(k)
		p.fix(v)
		to.SetMapIndex(k, v)
	}
}

// settable returns a copy of v that can be changed.
func settable(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}
