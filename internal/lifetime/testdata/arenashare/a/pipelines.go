package a

import "github.com/heapwright/heapwright/arena"

type row struct {
	fields []string
	key    string
}

func produce(a *arena.Arena, lines []string, out chan<- *row) {
	defer close(out)
	for _, l := range lines {
		r := arena.New[row](a)
		r.fields = arena.Append(a, r.fields, l)
		out <- r
	}
}

// Both stages allocate.
func stages(p *arena.Pool, lines []string) {
	a := p.Get()
	defer a.Free()
	rows := make(chan *row, 8)
	go produce(a, lines, rows) // want `this goroutine shares the arena a`
	for r := range rows {
		r.key = arena.Concat(a, r.fields[0], "!") // want `the arena a is used here while the goroutine`
	}
}

// The second stage only reads.
func readingStage(p *arena.Pool, lines []string) (n int) {
	a := p.Get()
	defer a.Free()
	rows := make(chan *row, 8)
	go produce(a, lines, rows)
	for r := range rows {
		r.key = r.fields[0]
		n += len(r.key)
	}
	return n
}

// The second stage allocates when the first one has ended.
func laterStage(p *arena.Pool, lines []string) string {
	a := p.Get()
	defer a.Free()
	rows := make(chan *row, 8)
	go produce(a, lines, rows)
	n := 0
	for r := range rows {
		n += len(r.fields)
	}
	return string(arena.AlignedBytes(a, n, 8))
}

// The second stage has an arena of its own.
func ownStage(p *arena.Pool, lines []string) {
	a, b := p.Get(), p.Get()
	defer a.Free()
	defer b.Free()
	rows := make(chan *row, 8)
	go produce(a, lines, rows)
	for r := range rows {
		r.key = arena.Concat(b, r.fields[0], "!")
	}
}

// One value, and the goroutine has nothing more to do.
func oneAnswer(p *arena.Pool, line string) {
	a := p.Get()
	defer a.Free()
	rows := make(chan *row)
	go func() {
		defer close(rows)
		r := arena.New[row](a)
		r.key = line
		rows <- r
	}()
	for r := range rows {
		r.fields = arena.Append(a, r.fields, r.key)
	}
}
