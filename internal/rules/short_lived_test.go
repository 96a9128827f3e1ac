package rules

import (
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

const trees = `package main

type node struct{ left, right *node }

func build(depth int) *node {
	if depth == 0 {
		return nil
	}
	return &node{build(depth - 1), build(depth - 1)}
}

func size(n *node) int {
	if n == nil {
		return 0
	}
	return 1 + size(n.left) + size(n.right)
}

func request(depth int) int {
	n := build(depth)
	return size(n)
}

func serve() {
	for {
		request(9)
	}
}

func main() {}
`

// The arena begins neither in the recursion nor in the loop around it.
func TestArena(t *testing.T) {
	s := newScene(t, trees)
	leaf := s.frame("build", "return &node")
	s.churn("runtime.newobject", leaf+leaf+s.frame("request", "n := build")+s.frame("serve", "request(9)"))
	f := s.wants("short-lived", "return &node")
	if f.Root == nil || f.Root.Function != "main.request" {
		t.Errorf("root %+v", f.Root)
	}
	has(t, f.Remedy, "Begin an arena in main.request")
	has(t, f.Remedy, "No change is offered: package arena needs a module of go1.26.")
	has(t, f.Escape, "returned")
}

// The change puts the objects of the request into an arena, and no others.
func TestArenaChange(t *testing.T) {
	s := newScene(t, trees)
	s.language = "1.26"
	leaf := s.frame("build", "return &node")
	s.churn("runtime.newobject", leaf+leaf+s.frame("request", "n := build")+s.frame("serve", "request(9)"))
	f := s.wants("short-lived", "return &node")
	if f.Check != "arena" {
		t.Fatalf("%q: %s", f.Check, f.Remedy)
	}
	has(t, f.Patch, "+\tmem := requestArenas.Get()")
	has(t, f.Patch, "+\treturn newIn(mem, node{build(mem, depth-1), build(mem, depth-1)})")
	has(t, f.Patch, "+\tn := build(mem, depth)")
	has(t, f.Patch, "+require github.com/heapwright/heapwright/arena v0.1.0")
	has(t, f.Remedy, "needs go get github.com/heapwright/heapwright/arena")
}

func TestArenaNeedsObjectsThatDie(t *testing.T) {
	s := newScene(t, trees)
	path := s.frame("build", "return &node") + s.frame("request", "n := build")
	s.churn("runtime.newobject", path)
	s.heaps[0] = profiletest.NewHeap(0).Heap(1e6, 5e5, path+start)
	s.wantsNone("short-lived")
}

func TestArenaWithoutSource(t *testing.T) {
	s := newScene(t, trees).without()
	s.churn("runtime.newobject", s.frame("build", "return &node")+s.frame("request", "n := build"))
	s.wants("short-lived", "return &node")
}

const visits = `package main

type node struct{ left, right *node }

type visitor interface{ visit(n *node) visitor }

type counter struct{ count int }

func (c *counter) visit(n *node) visitor { c.count++; return c }

func walk(v visitor, n *node) {
	if n == nil {
		return
	}
	v = v.visit(n)
	walk(v, n.left)
	walk(v, n.right)
}

func request(n *node) int {
	c := &counter{}
	walk(c, n)
	return c.count
}

func sum(n *node, counters ...*counter) *counter {
	c := counters[0]
	for ; n != nil; n = n.right {
		c = sum(n.left, c)
	}
	return c
}

func main() {}
`

// An arena for one object costs more than the object.
func TestArenaForOneObject(t *testing.T) {
	s := newScene(t, visits)
	s.churn("runtime.newobject", s.frame("request", "c := &counter{}"))
	f := s.wants("short-lived", "c := &counter{}")
	has(t, f.Remedy, "No arena: a call of main.request makes one of them")
	has(t, f.Remedy, "sync.Pool")
}

const medians = `package main

func median(values []int) int {
	sorted := make([]int, len(values))
	copy(sorted, values)
	return sorted[len(sorted)/2]
}

func main() { median(nil) }
`

// A pool of slices boxes each of them.
func TestArenaForOneSlice(t *testing.T) {
	s := newScene(t, medians)
	s.churn("runtime.makeslice", s.frame("median", "sorted := make"))
	f := s.wants("short-lived", "sorted := make")
	has(t, f.Remedy, "filled again from [:0]")
	has(t, f.Example, "few[:0]")
}

// The program has no expression for the slice of variadic arguments.
func TestArenaForVariadicArguments(t *testing.T) {
	s := newScene(t, visits)
	s.churn("runtime.newobject", s.frame("sum", "sum(n.left")+s.frame("request", "walk(c, n)"))
	f := s.wants("short-lived", "sum(n.left")
	has(t, f.Escape, "... argument")
	has(t, f.Remedy, "a parameter of its own")
}

const rows = `package main

type matrix struct{ width int; cells [][]int }

func (m *matrix) row(y int) []int {
	row := make([]int, m.width)
	for x := range row {
		row[x] = m.cells[x][y]
	}
	return row
}

func score(m *matrix) int {
	sum := 0
	for y := range m.width {
		for _, v := range m.row(y) {
			sum += v
		}
	}
	return sum
}

func main() { score(&matrix{}) }
`

// Slices that are made one after the other can share their memory without an arena.
func TestArenaOfSlices(t *testing.T) {
	s := newScene(t, rows)
	s.churn("runtime.makeslice", s.frame("(*matrix).row", "row := make")+s.frame("score", "m.row(y)"))
	has(t, s.wants("short-lived", "row := make").Remedy, "let main.score own one and pass it in, to be filled again from [:0]")
}

const logging = `package main

import "runtime"

func where() int {
	if _, _, line, ok := runtime.Caller(1); ok {
		return line
	}
	return 0
}

func main() { where() }
`

// No batch can hold objects that the runtime makes.
func TestGarbageOfCaller(t *testing.T) {
	s := newScene(t, logging)
	s.churn("runtime.Caller", s.frame("where", "runtime.Caller(1)"))
	f := s.wants("short-lived", "runtime.Caller(1)")
	has(t, f.Title, "garbage of runtime.Caller")
	has(t, f.Remedy, "by the program counter")
}

const handedOn = `package main

type event struct{ id int }

var last *event

var observer func(*event)

func keep(id int) {
	last = &event{id}
}

func tell(id int) {
	observer(&event{id: id})
}

var lines [][]int

func read(n int) {
	line := make([]int, n)
	lines = append(lines, line)
}

func main() { keep(1); tell(2); read(3) }
`

// A keeper that is found is a verdict, code that cannot be followed is none.
func TestNoArena(t *testing.T) {
	for _, test := range []struct{ function, line, want string }{
		{"keep", "last = &event{id}", "No arena and no pool: it is stored in last at main.go:10. What remains is fewer or smaller objects"},
		{"read", "line := make([]int, n)", "What remains is fewer or smaller slices: of the length that is needed"},
		{"tell", "observer(&event{id: id})", "It is not known whether an arena or a pool can hold them: it is passed to a function value, which is not followed, " +
			"at main.go:14. If they die with a call, use one; otherwise make fewer"},
	} {
		t.Run(test.function, func(t *testing.T) {
			s := newScene(t, handedOn)
			through := "runtime.newobject"
			if strings.Contains(test.line, "make(") {
				through = "runtime.makeslice"
			}
			s.churn(through, s.frame(test.function, test.line))
			has(t, s.wants("short-lived", test.line).Remedy, test.want)
		})
	}
}

const nameTables = `package main

func errno(n int) string {
	names := map[int]string{1: "EPERM", 2: "ENOENT", 3: "ESRCH", 4: "EINTR", 5: "EIO", 6: "ENXIO", 7: "E2BIG", 8: "ENOEXEC", 9: "EBADF"}
	return names[n]
}

func signal(n int) string {
	names := map[int]string{1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL"}
	return names[n]
}

func request(n int) string { return errno(n) + signal(n) }

func main() {}
`

// Where no arena is possible, but a check has a change, the remedy is the change's.
func TestChangeInsteadOfArena(t *testing.T) {
	s := newScene(t, nameTables)
	s.language = "1.26"
	s.churn("runtime.newobject", s.frame("errno", `map[int]string{1: "EPERM"`)+s.frame("request", "errno(n)"))
	s.churn("runtime.newobject", s.frame("signal", `map[int]string{1: "SIGHUP"`)+s.frame("request", "signal(n)"))
	f := s.find()[0]
	if f.Check != "constantmap" {
		t.Fatalf("%q: %s", f.Check, f.Remedy)
	}
	if f.Remedy != "Each call builds the same map: build it once, in a variable of the package." {
		t.Error(f.Remedy)
	}
}
