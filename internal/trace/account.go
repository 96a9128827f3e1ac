package trace

// account integrates the states of processors and goroutines over time.
type account struct {
	now      int64
	procs    int
	running  [kinds]int // goroutines that run, by their kind of work
	runnable int        // goroutines of the program that could run
	stopping kind       // paused or stopped while the world is; none

	spent [kinds]int64 // processor time
	// queue and pause are the integrals, in nanoseconds, of the shares of processors
	// that collect, and that stand still for the collector.
	queue, pause float64
	// contended is the time in which goroutines of the program could run and had no
	// processor.
	contended int64
	steps     steps
}

// idle returns how many processors run nothing.
func (a *account) still() int {
	n := a.procs
	for _, r := range a.running {
		n -= r
	}
	return max(n, 0)
}

// advance lets time pass until now.
func (a *account) advance(now int64) {
	dt := now - a.now
	if dt <= 0 {
		return
	}
	var busy [kinds]int
	collecting := 0
	for k := own; k < kinds; k++ {
		busy[k] = a.running[k]
		if k.collects() {
			collecting += busy[k]
		}
	}
	if a.stopping != none {
		busy[a.stopping] += a.still()
	}
	for k, n := range busy {
		a.spent[k] += int64(n) * dt
	}
	procs := float64(max(a.procs, 1))
	a.queue += min(float64(collecting)/procs, 1) * float64(dt)
	a.pause += min(float64(busy[paused])/procs, 1) * float64(dt)
	if a.runnable > 0 {
		a.contended += dt
	}
	a.steps.add(a.now, now, busy, a.runnable)
	a.now = now
}
