package stale

import "sync"

type result struct {
	name  string
	took  int
	ready bool
	buf   []byte
}

var results = sync.Pool{New: func() any { return new(result) }}

func conditional(trace string, emit func(string)) {
	r := results.Get().(*result)
	defer results.Put(r) // want `the pooled value keeps its field name, which its next user may read in line 21`
	if trace != "" {
		r.name = trace
	}
	r.buf = append(r.buf[:0], 'x')
	emit(r.name)
}

func whole(try func() (int, error), observe func(result)) {
	r := results.Get().(*result)
	defer results.Put(r) // want `the pooled value keeps its field took`
	n, err := try()
	if err != nil {
		observe(*r)
		return
	}
	r.took = n
	observe(*r)
}

func alwaysSet(trace string, emit func(string)) {
	r := results.Get().(*result)
	defer results.Put(r)
	if trace != "" {
		r.name = trace
	} else {
		r.name = "none"
	}
	emit(r.name)
}

func setFirst(trace string, emit func(string)) {
	r := results.Get().(*result)
	defer results.Put(r)
	r.name = ""
	if trace != "" {
		r.name = trace
	}
	emit(r.name)
}

func sameCondition(trace string, emit func(string)) {
	r := results.Get().(*result)
	defer results.Put(r)
	if trace != "" {
		r.name = trace
	}
	r.buf = r.buf[:0]
	if trace != "" {
		emit(r.name)
	}
}

func once(emit func(string)) {
	r := results.Get().(*result)
	defer results.Put(r)
	if !r.ready {
		r.name, r.ready = "made once", true
	}
	emit("x")
}

func cleared(trace string, emit func(string)) {
	r := results.Get().(*result)
	defer results.Put(r)
	*r = result{buf: r.buf[:0]}
	if trace != "" {
		r.name = trace
	}
	emit(r.name)
}

func clearedBefore(trace string, emit func(string)) {
	r := results.Get().(*result)
	if trace != "" {
		r.name = trace
	}
	emit(r.name)
	r.name = ""
	results.Put(r)
}

func passed(fill func(*result), trace string, emit func(string)) {
	r := results.Get().(*result)
	defer results.Put(r)
	fill(r)
	if trace != "" {
		r.name = trace
	}
	emit(r.name)
}
