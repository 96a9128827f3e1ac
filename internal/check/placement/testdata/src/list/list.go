package list

import "example.com/other"

type event struct {
	kind int
	next *event
}

type trace struct{ head *event }

func add(t *trace, kind int) {
	t.head = &event{kind, t.head} // object
}

func fill(t *trace, kinds ...int) {
	for _, k := range kinds {
		add(t, k)
	}
}

func request(n int) (cost int) { // want `use an arena`
	var t trace
	row := make([]int, n) // object
	last := &event{}      // object
	fill(&t, row...)
	for e := t.head; e != nil; e = e.next {
		cost += e.kind // root
	}
	return cost + last.kind + other.Cost
}
