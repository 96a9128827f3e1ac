package clean

import "github.com/heapwright/heapwright/arena"

// Every goroutine answers, and the loop takes as many answers as there are goroutines.
func answers(files []string, check func(*string) error) (first error) {
	a := arena.NewArena()
	defer a.Free()
	errs := make(chan error, len(files))
	for _, f := range files {
		p := arena.New[string](a)
		*p = f
		go func() { errs <- check(p) }()
	}
	for range files {
		if err := <-errs; err != nil && first == nil {
			first = err
		}
	}
	return first
}

func countedAnswers(files []string, check func(*string) error) (n int) {
	a := arena.NewArena()
	defer a.Free()
	errs := make(chan error, len(files))
	for _, f := range files {
		p := arena.New[string](a)
		*p = f
		go func() { errs <- check(p) }()
	}
	for i := 0; i < len(files); i++ {
		if <-errs != nil {
			n++
		}
	}
	return n
}
