package fates

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/ioutil"
	"net/url"
	"slices"
	"sort"
	"strings"
	"sync"
	"unsafe"
)

type node struct {
	text        string
	left, right *node
}

type store struct {
	mu    sync.Mutex
	items map[string]*node
	last  []*node
	hook  func(*node)
}

var global *node

func Store(s *store, key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[key] = &node{text: key} // made: stored in s.items at fates.go:
}

func Append(s *store) {
	n := &node{} // made: stored in s.last at
	s.last = append(s.last, n)
}

func Global() {
	n := &node{} // made: stored in global at
	global = n
}

func Return() *node {
	n := &node{} // made: returned by Return at
	return n
}

func ReturnInside() []*node {
	n := &node{} // made: returned by ReturnInside at
	return []*node{n}
}

func parse(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{left: parse(depth - 1)} // made in Evaluate: dies
}

func Evaluate(depth int) (n int) {
	for t := parse(depth); t != nil; t = t.left {
		n++
	}
	return n
}

func tree(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{left: tree(depth - 1)} // made in Parse: returned by Parse at
}

type Document struct{ root *node }

func Parse(depth int) *Document { return &Document{tree(depth)} }

type Sets struct{ names, types map[string]bool }

func NewSets() Sets {
	return Sets{
		names: map[string]bool{}, // made: returned by NewSets at
		types: map[string]bool{}, // made: returned by NewSets at
	}
}

func useSets() int {
	s := NewSets()
	s.names["x"] = true
	return len(s.names)
}

func Channel(out chan<- []byte) {
	b := make([]byte, 64) // made: sent on out at
	out <- b
}

func OwnChannel() int {
	c := make(chan []byte, 1)
	c <- make([]byte, 64) // made: dies
	return len(<-c)
}

func Goroutine() {
	b := make([]byte, 64) // made: captured by a goroutine at
	go func() { b[0] = 1 }()
}

func GoroutineArgument() {
	b := make([]byte, 64) // made: handed to a goroutine at
	go fill(b)
}

func fill(b []byte) { b[0] = 1 }

func Defer(w io.Writer) {
	b := make([]byte, 64) // made: dies
	defer func() { w.Write(b) }()
	fill(b)
}

func keepIt(s *store, n *node) { s.last[0] = n }

func ByCallee(s *store) {
	n := &node{} // made: stored in s.last[…] at
	keepIt(s, n)
}

func ByInterface(s sort.Interface, k interface{ Keep(*node) }) {
	n := &node{} // made: passed to the method Keep of an interface
	k.Keep(n)
}

func ByFunction(s *store) {
	n := &node{} // made: passed to a function value
	s.hook(n)
}

func HeldByReceiver(s *store) {
	inner := &node{} // made: held by the [1]*fates.node of fates.go:148, which is stored in s.last at fates.go:148
	outer := &node{left: inner}
	s.last = []*node{outer}
}

func Panics() {
	panic(&node{}) // made: passed to a panic
}

func AsError() error {
	n := &node{text: "x"} // made: it is returned by AsError
	return fmt.Errorf("node: %w", (*nodeError)(n))
}

type nodeError node

func (e *nodeError) Error() string { return e.text }

func Printed(w io.Writer) {
	n := &node{text: "x"} // made: dies
	fmt.Fprintln(w, n.text, n)
}

func Buffer(w io.Writer) error {
	var b bytes.Buffer // made: dies
	b.WriteString("x")
	_, err := w.Write(b.Bytes())
	return err
}

func BufferReturned() []byte {
	var b bytes.Buffer // made: returned by BufferReturned at
	b.WriteString("x") // made: returned by BufferReturned at
	return b.Bytes()
}

func BufferCopied() string {
	var b bytes.Buffer // made: dies
	b.WriteString("x") // made: dies
	return b.String()
}

func Sliced() []byte {
	b := make([]byte, 64) // made: returned by Sliced at
	c := b[8:]
	return bytes.TrimSpace(c)
}

func Copied() []byte {
	b := make([]byte, 64) // made: dies
	fill(b)
	return append([]byte(nil), b...)
}

func AsString() string {
	b := make([]byte, 64) // made: dies
	fill(b)
	return string(b)
}

func ByUnsafe() string {
	b := make([]byte, 64) // made: returned by ByUnsafe at
	fill(b)
	return unsafe.String(&b[0], len(b))
}

func AsNumber() uintptr {
	b := make([]byte, 64) // made: converted to a number
	return uintptr(unsafe.Pointer(&b[0]))
}

func Field() *string {
	n := node{} // made: returned by Field at
	return &n.text
}

func Boxed() any {
	n := node{text: "x"}
	return n
}

type shape interface{ area() int }

type square struct{ side *int }

func (s *square) area() int { return *s.side }

type hoard struct{ all []*int }

func (h *hoard) add(i *int) { h.all = append(h.all, i) }

func Method() int {
	side := new(int) // made: dies
	var s shape = &square{side}
	return s.area()
}

func OwnHoard() int {
	var h hoard
	i := new(int) // made: dies
	h.add(i)
	return len(h.all)
}

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func Pooled() {
	b := new(bytes.Buffer) // made: kept by sync.(*Pool).Put at
	pool.Put(b)
}

func Callback() {
	n := &node{} // made: stored in global at
	sort.Slice([]int{2, 1}, func(i, j int) bool {
		global = n
		return i < j
	})
}

func Sorted(names []string) int {
	list := make([]string, 0, len(names)) // made: dies
	list = append(list, names...)
	sort.Strings(list)
	return len(strings.Join(list, ","))
}

type byText []*node

func (b byText) Len() int           { return len(b) }
func (b byText) Less(i, j int) bool { global = b[i]; return b[i].text < b[j].text }
func (b byText) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

func SortedByMethod() {
	n := &node{} // made: stored in global at
	sort.Sort(byText{n})
}

func Captured() func() int {
	n := &node{} // made: returned by Captured at
	return func() int { return len(n.text) }
}

type parser struct {
	tokens []*node
	out    *Document
}

// The tree is returned, but not the tokens that the parser holds beside it.
func (p *parser) run() *Document {
	p.out = &Document{root: &node{}}     // made in ByParser: returned by ByParser
	p.tokens = append(p.tokens, &node{}) // made in ByParser: dies
	return p.out
}

func ByParser() *Document {
	p := &parser{}
	return p.run()
}

func Generic() int {
	n := &node{} // made: dies
	return len(same(n).text)
}

func same[T any](v T) T { return v }

func GenericKept() {
	n := &node{} // made: stored in global
	global = same(n)
}

func Map(n *node) error {
	seen := map[*node]bool{} // made: dies
	seen[n] = true
	if len(seen) == 0 {
		return errors.New("none")
	}
	return nil
}

func Given(w io.Writer) {
	w.Write([]byte("x"))
	io.WriteString(w, "x") // made: part of what
}

func ReadWithError(r io.Reader) (int, error) {
	data, err := io.ReadAll(r) // made: dies
	return len(data), err
}

func Zipped(w io.Writer) error {
	zw := gzip.NewWriter(w) // made: dies
	io.WriteString(zw, "x") // made: dies
	return zw.Close()
}

func Unzipped(r io.Reader) (int, error) {
	zr, err := gzip.NewReader(r) // made: dies
	if err != nil {
		return 0, err
	}
	return zr.Read(make([]byte, 10))
}

func Decoded(data []byte) (int, error) {
	var n node                                       // made: dies
	if err := json.Unmarshal(data, &n); err != nil { // made: dies
		return 0, err
	}
	return len(n.left.text), nil
}

func DecodedAndKept(data []byte) {
	n := &node{}            // made: dies
	json.Unmarshal(data, n) // made: stored in global
	global = n.left.right
}

func TextOfDecodedIsKept(data []byte) string {
	var n node               // made: dies
	json.Unmarshal(data, &n) // made: returned by TextOfDecodedIsKept
	return n.left.text
}

func DecodedInto(data []byte, n *node) error {
	return json.Unmarshal(data, n) // made: decoded into memory from outside
}

func DecodedStream(r io.Reader) (sum int) {
	d := json.NewDecoder(r) // made: dies
	for {
		var n node                           // made: dies
		if err := d.Decode(&n); err != nil { // made: dies
			return sum
		}
		sum += len(n.text)
	}
}

func decodeNode(data []byte) (*node, error) {
	n := new(node)                    // made in CallsDecode: dies
	return n, json.Unmarshal(data, n) // made in CallsDecode: dies
}

func CallsDecode(data []byte) int {
	n, err := decodeNode(data)
	if err != nil {
		return 0
	}
	return len(n.text)
}

type pointer[T any] interface {
	*T
}

func decodeGeneric[T any, P pointer[T]](data []byte, use func(P)) {
	p := P(new(T))
	if err := json.Unmarshal(data, p); err != nil { // made: passed to a function value
		return
	}
	use(p)
}

func handlerOf[T any, P pointer[T]](use func(P)) func([]byte) {
	return func(data []byte) {
		p := P(new(T))
		json.Unmarshal(data, p) // made: passed to a function value
		use(p)
	}
}

var once sync.Once

// What is kept is not kept by the calls beside it, which keep nothing.
func BesideOnce() *Document {
	n := &node{} // made: returned by BesideOnce
	once.Do(func() {})
	return &Document{root: n}
}

func BesideQuery(query string) *Document {
	n := &node{} // made: returned by BesideQuery
	n.text, _ = url.QueryUnescape(query)
	return &Document{root: n}
}

func Rest(r io.Reader) int {
	rest, _ := ioutil.ReadAll(r) // made: dies
	return len(rest)
}

type branch struct {
	key         int
	child, next *branch
}

func (b *branch) first() **branch { return &b.child }

// slot looks for the place of a branch, in a tree that a call was given as well as in
// one that it made.
func (b *branch) slot(key int) **branch {
	link := b.first()
	for *link != nil && (*link).key != key {
		link = &(*link).next
	}
	return link
}

func (b *branch) add(other *branch) {
	for c := other.child; c != nil; c = c.next {
		link := b.slot(c.key)
		if *link == nil {
			*link = &branch{key: c.key} // made in Grow: stored in the result of slot at fates.go:459
		}
		(*link).add(c)
	}
}

func Grow(kept *branch, keys []int) {
	var own branch // made: dies
	for _, key := range keys {
		if link := own.slot(key); *link == nil {
			*link = &branch{key: key} // made: dies
		}
	}
	kept.add(&own)
}

type lease struct{ held *node }

var leases = sync.Pool{New: func() any { return new(lease) }}

// Get keeps nothing. What is put into its result stays in the result, which goes back.
func Lease() {
	l := leases.Get().(*lease)
	l.held = &node{} // made: stored in memory of *fates.lease.held
	l.held.text = "x"
	l.held = nil
	leases.Put(l)
}

func Fail(n int) {
	bad := &node{text: "x"} // made: passed to a panic, which a caller may recover, at
	if n > 3 {
		panic(bad)
	}
}

// Any other keeper is more telling than a panic.
func FailOrReturn(n int) error {
	err := fmt.Errorf("%d", n) // made: returned by FailOrReturn
	if n > 3 {
		panic(err)
	}
	return err
}

func Borrow() {
	b := pool.Get().(*bytes.Buffer)
	b.WriteString("x") // made: part of
}

// Put keeps it, not the Get before.
func Swap() any {
	old := pool.Get()
	b := new(bytes.Buffer) // made: kept by sync.(*Pool).Put at
	pool.Put(b)
	return old
}

// The body of the loop gets the elements.
func Iterated() {
	n := &node{} // made: stored in global at
	for m := range slices.Values([]*node{n}) {
		global = m
	}
}

func IteratedOnly() (length int) {
	n := &node{} // made: dies
	for m := range slices.Values([]*node{n}) {
		length += len(m.text)
	}
	return length
}
