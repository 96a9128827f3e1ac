package public

type event struct {
	kind int
	next *event
}

type Trace struct{ head *event }

// Add adds events.
func (t *Trace) Add(kinds ...int) int {
	for _, kind := range kinds {
		t.head = &event{kind, t.head} // object
	}
	return len(kinds)
}

type adder interface{ Add(kinds ...int) int }

func request(n int) (cost int) { // want `use an arena`
	t := Trace{}
	t.Add(n, n)
	other(&t)
	return walk(t.head) // root
}

func other(a adder) { a.Add(1) }

func walk(e *event) (cost int) {
	for ; e != nil; e = e.next {
		cost += e.kind
	}
	return cost
}
