package a

import (
	"example.org/t/helper"
	"github.com/heapwright/heapwright/arena"
)

type point = helper.Point

var (
	global     *point
	globals    = map[string]*point{}
	all        []string
	globalNode = &point{}
)

func returned(pool *arena.Pool) *point {
	a := pool.Get()
	defer a.Free()
	p := arena.New[point](a)
	return p // want `memory of the arena a is returned, but the deferred Free of a ends it`
}

func direct() string {
	a := arena.NewArena()
	defer a.Free()
	return arena.String(a, "x") // want `memory of the arena a is returned`
}

func deferredClosure() []byte {
	a := arena.NewArena()
	defer func() { a.Free() }()
	return arena.Bytes(a, []byte("x")) // want `memory of the arena a is returned`
}

func second() (int, []int) {
	a := arena.NewArena()
	defer a.Free()
	s := arena.MakeSlice[int](a, 1, 1)
	return 1, s // want `memory of the arena a is returned`
}

func part() []byte {
	a := arena.NewArena()
	defer a.Free()
	b := arena.Bytes(a, []byte("abc"))
	return b[1:] // want `memory of the arena a is returned`
}

func held() *point {
	a := arena.NewArena()
	defer a.Free()
	return &point{Name: arena.String(a, "x")} // want `memory of the arena a is returned`
}

func heldValue() (p point) {
	a := arena.NewArena()
	defer a.Free()
	name := arena.String(a, "x")
	return point{Name: name} // want `memory of the arena a is returned`
}

func listed(names []string) (l []string) {
	a := arena.NewArena()
	defer a.Free()
	var list []string
	list = append(list, arena.String(a, "x"))
	return list // want `memory of the arena a is returned`
}

func byHelper() *point {
	a := arena.NewArena()
	defer a.Free()
	return helper.Make(a) // want `memory of the arena a is returned`
}

func branch(x bool) *point {
	a := arena.NewArena()
	defer a.Free()
	if x {
		return nil
	}
	return arena.New[point](a) // want `memory of the arena a is returned`
}

func loop(n int) *point {
	a := arena.NewArena()
	defer a.Free()
	for i := range n {
		p := arena.New[point](a)
		if p.X == i {
			return p // want `memory of the arena a is returned`
		}
	}
	return nil
}

func generic[T any]() *T {
	a := arena.NewArena()
	defer a.Free()
	return arena.New[T](a) // want `memory of the arena a is returned`
}

func toGlobal() {
	a := arena.NewArena()
	defer a.Free()
	global = arena.New[point](a) // want `memory of the arena a is kept in the package's variable global, but a ends in this function`
}

func toGlobalMap(key string) {
	a := arena.NewArena()
	p := arena.New[point](a)
	globals[key] = p // want `kept in the package's variable globals`
	a.Free()
}

func toGlobalSlice() {
	a := arena.NewArena()
	defer a.Free()
	all = append(all, arena.String(a, "x")) // want `kept in the package's variable all`
}

func toGlobalField() {
	a := arena.NewArena()
	defer a.Free()
	globalNode.Name = arena.String(a, "x") // want `kept in the package's variable globalNode`
}

func toParameter(p *point) {
	a := arena.NewArena()
	defer a.Free()
	p.Next = arena.New[point](a) // want `kept in what p refers to`
}

type cache struct {
	pool  arena.Pool
	names map[int]string
	last  []byte
}

func (c *cache) fill(n int) {
	a := c.pool.Get()
	defer a.Free()
	c.names[n] = arena.String(a, "x") // want `kept in what c refers to`
}

func (c *cache) keep() {
	a := c.pool.Get()
	b := arena.Bytes(a, []byte("x"))
	c.last = b // want `kept in what c refers to`
	a.Reset()
	a.Free()
}

func sent(c chan *point) {
	a := arena.NewArena()
	defer a.Free()
	c <- arena.New[point](a) // want `memory of the arena a is sent on a channel`
}

func started() {
	a := arena.NewArena()
	defer a.Free()
	p := arena.New[point](a)
	go func() {
		println(p.X) // want `a goroutine uses p, memory of the arena a`
	}()
}

func startedWith(f func(*point)) {
	a := arena.NewArena()
	defer a.Free()
	p := arena.New[point](a)
	go f(p) // want `a goroutine uses p`
}

func literal() func() string {
	return func() string {
		a := arena.NewArena()
		defer a.Free()
		return arena.Concat(a, "x", "y") // want `memory of the arena a is returned`
	}
}

func freedLater(p *point, x bool) {
	a := arena.NewArena()
	p.Next = arena.New[point](a) // want `kept in what p refers to`
	if x {
		a.Free()
		return
	}
	println(p.Next.X)
	a.Free()
}

func deferredLater(p *point) {
	a := arena.NewArena()
	p.Next = arena.New[point](a) // want `kept in what p refers to`
	defer a.Free()
}

func inLoop(p *point, parts []string) {
	a := arena.NewArena()
	defer a.Free()
	for _, part := range parts {
		p.Name = arena.String(a, part) // want `kept in what p refers to`
	}
}

func (c *cache) remember(a *arena.Arena, text string) { c.last = arena.Bytes(a, []byte(text)) } // want `memory of the arena a is kept in what c refers to, but a ends in byMethod`

func (c *cache) byMethod(text string) {
	a := c.pool.Get()
	defer a.Free()
	c.remember(a, text)
}

func keepGlobal(a *arena.Arena) { global = arena.New[point](a) } // want `memory of the arena a is kept in the package's variable global, but a ends in byFunction`

func byFunction() {
	a := arena.NewArena()
	keepGlobal(a)
	a.Free()
}

func (c *cache) inClosure(text string) {
	work := func() {
		a := c.pool.Get()
		defer a.Free()
		c.remember(a, text)
	}
	work()
}

func (c *cache) inRounds(texts []string) {
	a := c.pool.Get()
	defer a.Free()
	for _, text := range texts {
		c.remember(a, text)
		a.Reset()
	}
}

func sentOnOnePath(c chan string, x bool) {
	a := arena.NewArena()
	title := ""
	if x {
		title = arena.String(a, "x")
	}
	c <- title // want `memory of the arena a is sent on a channel`
	a.Free()
}

func orDefault(x bool) string {
	a := arena.NewArena()
	defer a.Free()
	return named(a, x) // want `memory of the arena a is returned`
}

func named(a *arena.Arena, x bool) (name string) {
	if x {
		name = arena.String(a, "x")
	}
	return name
}

type encoder struct {
	room *arena.Arena
	buf  []byte
}

func newEncoder(pool *arena.Pool) *encoder {
	room := pool.Get()
	e := arena.New[encoder](room)
	e.room = room
	e.buf = arena.MakeSlice[byte](room, 0, 64)
	return e
}

func (e *encoder) close() { e.room.Free() }

func encoded(pool *arena.Pool, text string) []byte {
	e := newEncoder(pool)
	defer e.close()
	e.buf = append(e.buf, text...)
	return e.buf // want `memory of the arena of e is returned, but the deferred Free of e ends it`
}
