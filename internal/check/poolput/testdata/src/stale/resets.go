package stale

import "sync"

// The method reset of an answer leaves out the text.
type answer struct {
	code int
	text string
	body []byte
}

func (a *answer) reset() {
	a.code = 0
	a.body = a.body[:0]
}

func (a *answer) write(emit func(int, string)) { emit(a.code, a.text) }

var answers = sync.Pool{New: func() any { return new(answer) }}

func resetLeavesOut(failure string, emit func(int, string)) {
	a := answers.Get().(*answer)
	if failure != "" {
		a.text = failure
	}
	a.write(emit)
	a.reset()
	answers.Put(a) // want `the pooled value keeps its field text`
}

func resetFirst(failure string, emit func(int, string)) {
	a := answers.Get().(*answer)
	a.reset()
	if failure != "" {
		a.text = failure
	}
	emit(a.code, a.text)
	answers.Put(a) // want `the pooled value keeps its field text`
}

func resets(failure int, emit func(int, string)) {
	a := answers.Get().(*answer)
	if failure != 0 {
		a.code = failure
	}
	emit(a.code, "")
	a.reset()
	answers.Put(a)
}

func resetsLater(failure int, emit func(int, string)) {
	a := answers.Get().(*answer)
	defer answers.Put(a)
	defer a.reset()
	if failure != 0 {
		a.code = failure
	}
	emit(a.code, "")
}

func resetsBefore(failure int, emit func(int, string)) {
	a := answers.Get().(*answer)
	defer answers.Put(a)
	a.reset()
	if failure != 0 {
		a.code = failure
	}
	emit(a.code, "")
}
