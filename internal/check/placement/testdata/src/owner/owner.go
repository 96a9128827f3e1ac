package owner

type node struct {
	value int
	next  *node
}

// memory is where the nodes of one list live.
type memory struct{}

func newMemory() memory { return memory{} }

func (memory) node() *node { return new(node) } // object

func (memory) free() {}

type list struct {
	head node
	mem  memory
}

func (l *list) add(v int) {
	n := l.mem.node()
	n.value, n.next = v, l.head.next
	l.head.next = n
}

func count(values []int) (sum int) { // want `use an arena`
	l := list{mem: newMemory()}
	defer l.mem.free()
	for _, v := range values {
		l.add(v)
	}
	for n := l.head.next; n != nil; n = n.next {
		sum += n.value // root
	}
	return sum
}
