package arena

import (
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// Promote returns a deep copy of v that outlives its arena: every value in the memory
// of an arena that v leads to, through pointers, slices, strings, maps, interfaces and
// unexported fields, is copied to the heap, and so are the maps and slices on the way.
// [Clone] copies one level only. The functions Promote of arenapb and arenajson also
// copy values on the heap, such as text that keeps a whole input alive. Values that two pointers share stay shared, and
// cycles stay cycles; a pointer into the middle of another value gets a copy of
// its own. An *Arena becomes nil, so that a [Map] or [Buffer] grows on the
// heap from then on.
//
// A heap value that v itself points to is made independent in place. Other
// pointers to heap values are kept and not followed, nor are functions, channels
// and unsafe.Pointers. Promote must not run while another goroutine changes v.
func Promote[T any](v T) T {
	if s := shapeOf(reflect.TypeFor[T]()); s.pointers {
		promote(unsafe.Pointer(&v), s)
	}
	return v
}

// promote makes the value of shape s at v independent of arenas.
func promote(v unsafe.Pointer, s *shape) {
	p := promotions.Get().(*promotion)
	if r := s.refs[0]; s.typ.Kind() == reflect.Pointer && r.kind == refPointer {
		if root := *(*unsafe.Pointer)(v); root != nil && !p.contains(root) {
			v, s = root, r.to
		}
	}
	p.fix(v, s)
	for len(p.copies)+len(p.maps) > 0 {
		if last := len(p.copies) - 1; last >= 0 {
			c := p.copies[last]
			p.copies = p.copies[:last]
			for i := range uintptr(c.n) {
				p.fix(unsafe.Add(c.at, i*c.shape.size), c.shape)
			}
			continue
		}
		last := len(p.maps) - 1
		m := p.maps[last]
		p.maps = p.maps[:last]
		p.fill(m)
	}
	for _, m := range p.rekeyed {
		m.rehash()
	}
	p.recycle()
}

// A promotion is one run of Promote.
type promotion struct {
	finder
	shared copyTable

	// Copies and maps wait here to be fixed and filled. Fixing them at once would
	// recurse, and a list may be longer than a stack can be deep.
	copies  []valueCopy
	most    int // copies that waited at once
	maps    []copiedMap
	rekeyed []rehasher // maps whose keys may have changed
	dynamic [8]dynamic
}

var promotions = sync.Pool{New: func() any { return new(promotion) }}

// recycle keeps the memory of p for another promotion.
func (p *promotion) recycle() {
	p.finder = finder{}
	p.shared.empty()
	clear(p.copies[:p.most])
	p.most = 0
	p.maps, p.rekeyed = nil, nil
	promotions.Put(p)
}

// valueCopy is n copied values in a row that still refer to the parts of the
// originals.
type valueCopy struct {
	at    unsafe.Pointer
	shape *shape
	n     int
}

// copiedMap is an empty Go map and the map whose entries belong in it.
type copiedMap struct {
	to, from reflect.Value
	shape    *shape
}

// dynamic caches the shape of the values of an interface by its first word: a
// type, or its method table for an interface.
type dynamic struct {
	word  unsafe.Pointer
	shape *shape
}

// fix makes the value of shape s at v, which is already a copy, independent of
// arenas.
func (p *promotion) fix(v unsafe.Pointer, s *shape) {
	for i := range s.refs {
		r := &s.refs[i]
		f := unsafe.Add(v, r.offset)
		switch r.kind {
		case refPointer:
			if at := (*unsafe.Pointer)(f); *at != nil && p.contains(*at) {
				*at = p.copy(*at, r.to, -1)
			}
		case refString:
			if t := (*string)(f); *t != "" && p.contains(unsafe.Pointer(unsafe.StringData(*t))) {
				*t = strings.Clone(*t)
			}
		case refSlice:
			h := (*header)(f)
			if h.len > 0 && r.to.pointers || h.data != nil && p.contains(h.data) {
				*h = header{p.copy(h.data, r.to, h.len), h.len, h.len}
			}
		case refInterface:
			p.fixInterface(f, r)
		case refArray:
			for i := range uintptr(r.n) {
				p.fix(unsafe.Add(f, i*r.to.size), r.to)
			}
		case refGoMap:
			p.fixMap((*unsafe.Pointer)(f), r.to)
		case refMap:
			p.rekeyed = append(p.rekeyed, r.to.value(f).Addr().Interface().(rehasher))
		case refArena:
			*(*unsafe.Pointer)(f) = nil
		}
	}
}

// copy returns the copy of the n values at at. All references to the same values
// share it.
func (p *promotion) copy(at unsafe.Pointer, s *shape, n int) unsafe.Pointer {
	to := p.shared.of(original{uintptr(at), s, n})
	if *to == nil {
		n := max(n, -n)
		*to = s.copy(at, n)
		if s.pointers {
			p.copies = append(p.copies, valueCopy{*to, s, n})
			p.most = max(p.most, len(p.copies))
		}
	}
	return *to
}

// fixInterface gives an interface a copy of its value, if that may refer to
// anything. It is fixed at once: the interface may be the key of a map.
func (p *promotion) fixInterface(f unsafe.Pointer, r *ref) {
	words := (*[2]unsafe.Pointer)(f) // runtime/runtime2.go, iface and eface
	if words[0] == nil {
		return
	}
	known := &p.dynamic[uintptr(words[0])>>5%uintptr(len(p.dynamic))]
	if known.word != words[0] {
		*known = dynamic{words[0], shapeOf(r.to.value(f).Elem().Type())}
	}
	switch s := known.shape; {
	case !s.pointers:
	case s.direct:
		p.fix(unsafe.Pointer(&words[1]), s)
	default:
		box := s.copy(words[1], 1)
		p.fix(box, s)
		words[1] = box
	}
}

// fixMap replaces the Go map of shape s at f by an empty one, which is filled
// later.
func (p *promotion) fixMap(f *unsafe.Pointer, s *shape) {
	if *f == nil {
		return
	}
	to := p.shared.of(original{uintptr(*f), s, -1})
	if *to == nil {
		from := s.value(unsafe.Pointer(&[]unsafe.Pointer{*f}[0]))
		made := reflect.MakeMapWithSize(s.typ, from.Len())
		*to = made.UnsafePointer()
		p.maps = append(p.maps, copiedMap{made, from, s})
	}
	*f = *to
}

// fill copies the entries of a map. Keys are fixed as well: strings mostly.
func (p *promotion) fill(m copiedMap) {
	k, v := reflect.New(m.shape.typ.Key()), reflect.New(m.shape.typ.Elem())
	key, value := shapeOf(m.shape.typ.Key()), shapeOf(m.shape.typ.Elem())
	for it := m.from.MapRange(); it.Next(); {
		k.Elem().SetIterKey(it)
		v.Elem().SetIterValue(it)
		p.fix(k.UnsafePointer(), key)
		p.fix(v.UnsafePointer(), value)
		m.to.SetMapIndex(k.Elem(), v.Elem())
	}
}
