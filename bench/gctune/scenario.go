package main

import "time"

// load describes a worker's activity. Every worker answers requests at a fixed
// open rate, each with 100 KB of garbage in small objects. Fields that are not
// zero add further activity.
type load struct {
	Rate float64 // requests per second
	Live int     // MiB that live from the start to the end

	Storms           int // the live heap swings so often …
	High             int // … up to so many MiB, which …
	Rise, Stay, Rest time.Duration

	Leak int // MiB per second that are never freed, until the end

	Outside int           // MiB outside the Go heap, taken over Grow after Settle
	For     time.Duration // of a load that neither swings nor leaks
}

const (
	settle = 5 * time.Second  // before memory outside the heap grows
	grow   = 10 * time.Second // for how long it does
)

type scenario struct {
	name, title string
	load
}

var scenarios = []scenario{
	{"swing", "30 storms: the live heap swings between 50 and 400 MiB",
		load{Rate: 1000, Live: 50, Storms: 30, High: 400, Rise: 3500 * time.Millisecond, Stay: 300 * time.Millisecond, Rest: 500 * time.Millisecond}},
	{"swift", "30 storms as before, but the live heap rises within 2 s, by 175 MiB a second",
		load{Rate: 1000, Live: 50, Storms: 30, High: 400, Rise: 2 * time.Second, Stay: 300 * time.Millisecond, Rest: 500 * time.Millisecond}},
	{"leak", "a leak of 4 MiB a second from 50 MiB on, until the kernel ends it", load{Rate: 2500, Live: 50, Leak: 4}},
	{"steady40", "40% of the limit live, memory outside the heap grows by 100 MiB", steady(205)},
	{"steady60", "60% of the limit live, memory outside the heap grows by 100 MiB", steady(307)},
	{"steady80", "80% of the limit live, memory outside the heap grows by 100 MiB (410 MiB + 100 MiB do not fit)", steady(410)},
	{"idle", "nothing to do", load{For: time.Minute}},
}

func steady(live int) load {
	return load{Rate: 1000, Live: live, Outside: 100, For: 25 * time.Second}
}

func scenarioNames() []string {
	var names []string
	for _, s := range scenarios {
		names = append(names, s.name)
	}
	return names
}
