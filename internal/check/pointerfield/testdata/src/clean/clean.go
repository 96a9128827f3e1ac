package clean

import (
	"bytes"
	"io"
	"runtime"
	"unsafe"
)

type inner struct{ n int }

func (*inner) use() {}

type compared struct{ in *inner }

func newCompared() *compared { return &compared{in: &inner{}} }

func (c *compared) has() bool { return c.in != nil }

type assigned struct{ in *inner }

func newAssigned() *assigned { return &assigned{in: &inner{}} }

func (a *assigned) set(in *inner) { a.in = in }

type sometimes struct{ in *inner }

func newSometimes() []*sometimes { return []*sometimes{&sometimes{in: &inner{}}, &sometimes{}} }

type elided struct{ in *inner }

func newElided() []*elided { return []*elided{{in: &inner{}}} }

type given struct{ in *inner }

func newGiven(in *inner) *given { return &given{in: in} }

type copied struct{ in *inner }

func newCopied() *copied { return &copied{in: &inner{}} }

func (c *copied) clone() any { d := *c; return &d }

type value struct{ in *inner }

func newValue() value { return value{in: &inner{}} }

type zero struct{ in *inner }

func newZero() (*zero, *zero) { return &zero{in: &inner{}}, new(zero) }

type list struct{ in *inner }

var lists []list

func newList() *list { return &list{in: &inner{}} }

type returned struct{ in *inner }

func newReturned() *returned { return &returned{in: &inner{}} }

func (r *returned) get() *inner { return r.in }

type stored struct{ in *bytes.Buffer }

func newStored() *stored { return &stored{in: &bytes.Buffer{}} }

func (s *stored) writer() io.Writer {
	var w io.Writer = s.in
	return w
}

type addressed struct{ in *inner }

func newAddressed() *addressed { return &addressed{in: &inner{}} }

func (a *addressed) pointer() **inner { return &a.in }

type Exported struct{ in *inner }

func NewExported() *Exported { return &Exported{in: &inner{}} }

type exported struct{ In *inner }

func newExported() *exported { return &exported{In: &inner{}} }

type tagged struct {
	in *inner `json:"in"`
}

func newTagged() *tagged { return &tagged{in: &inner{}} }

type generic[T any] struct{ in *inner }

func newGeneric() *generic[int] { return &generic[int]{in: &inner{}} }

type recursive struct{ in *outer }

type outer struct{ all [2]recursive }

func newRecursive() *recursive { return &recursive{in: &outer{}} }

type counter struct{ n int64 }

type counted struct{ in *counter }

func newCounted() *counted { return &counted{in: &counter{}} }

type finalized struct{ in *inner }

func newFinalized() *finalized {
	f := &finalized{in: &inner{}}
	runtime.SetFinalizer(f.in, (*inner).use)
	return f
}

type embedded struct{ *inner }

func newEmbedded() *embedded { return &embedded{&inner{}} }

type converted struct{ in *inner }

func newConverted() *converted { return &converted{in: &inner{}} }

func (c *converted) address() uintptr { return uintptr(unsafe.Pointer(c.in)) }

type once struct{ in *inner }

var only = &once{in: &inner{}}

func (o *once) use() { o.in.use() }

type number struct{ n *int }

func newNumber() *number { return &number{n: new(int)} }

type grouped struct{ a, b *inner }

func newGrouped() *grouped { return &grouped{a: &inner{}, b: &inner{}} }

type commented struct {
	in /* why */ *inner
}
