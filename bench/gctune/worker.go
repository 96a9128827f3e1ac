package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"

	"github.com/heapwright/heapwright/workloads/program/outside"
)

// workerVariable holds a job in the environment of a worker, which is this
// program started once more.
const workerVariable = "HEAPWRIGHT_BENCH_JOB"

type job struct {
	Policy   string
	Limit    int64  // of the cgroup, bytes
	Profiles string // folder for gctune's
	Shape    string // name of a shape, played under a peer; "" for a load
	load
}

// work waits for the parent to write to standard input that the process is in its
// cgroup, and does the job.
func work(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return fmt.Errorf("wait for the cgroup: %w", err)
	}
	among := policies
	if j.Shape != "" {
		among = peers
		runtime.GOMAXPROCS(shapeProcs)
	}
	at := slices.IndexFunc(among, func(p policy) bool { return p.name == j.Policy })
	if err := among[at].start(j.Limit, j.Profiles); err != nil {
		return err
	}
	defer keepBallast()
	var done, storms atomic.Int64
	if j.Shape != "" {
		at := slices.IndexFunc(shapes, func(s shape) bool { return s.name == j.Shape })
		err := playShape(shapes[at], &done, &storms)
		fmt.Println(line(&done, &storms))
		return err
	}
	live := retained(j.Live << 20)
	if j.Rate > 0 {
		clients := 2 * runtime.GOMAXPROCS(0)
		for range clients {
			go serve(j.Rate/float64(clients), &done)
		}
		go report(&done, &storms)
	}
	switch {
	case j.Leak > 0:
		for last := time.Now(); ; {
			time.Sleep(50 * time.Millisecond)
			now := time.Now()
			leaked = append(leaked, retained(int(now.Sub(last).Seconds()*float64(j.Leak<<20))))
			last = now
		}
	case j.Storms > 0:
		for range j.Storms {
			storm(&j.load)
			storms.Add(1)
		}
	case j.Outside > 0:
		time.Sleep(settle)
		if err := outside.Grow(j.Outside<<20, grow); err != nil {
			return err
		}
		time.Sleep(j.For - settle - grow)
	default:
		time.Sleep(j.For)
	}
	fmt.Println(line(&done, &storms))
	runtime.KeepAlive(live)
	return nil
}

// leaked is a registry from which nothing is ever removed.
var leaked [][]*entry

// storm lets the live heap rise in small steps and fall at once.
func storm(l *load) {
	var held [][]*entry
	began := time.Now()
	for size := 0; size < l.High-l.Live; {
		time.Sleep(10 * time.Millisecond)
		until := int(float64(l.High-l.Live) * min(1, time.Since(began).Seconds()/l.Rise.Seconds()))
		held = append(held, retained((until-size)<<20))
		size = until
	}
	time.Sleep(l.Stay)
	runtime.KeepAlive(held)
	held = nil
	time.Sleep(l.Rest)
}

// node is garbage; entry is live: a cached body and a pointer to it.
type node struct {
	next *node
	data [120]byte
}

type entry struct {
	body *[240]byte
	//lint:ignore U1000 what an entry of a cache has beside its body
	key [8]byte
}

// retained makes about n bytes of entries that are resident.
func retained(n int) []*entry {
	entries := make([]*entry, n/264)
	for i := range entries {
		entries[i] = &entry{body: new([240]byte)}
		entries[i].body[i%240] = 1
	}
	return entries
}

// serve answers requests that come at a fixed rate, whether it keeps up or
// not; it forgets those that waited for more than a second, as clients do.
func serve(perSecond float64, done *atomic.Int64) {
	due, last := 0.0, time.Now()
	for {
		time.Sleep(time.Millisecond)
		now := time.Now()
		due = min(due+now.Sub(last).Seconds()*perSecond, perSecond)
		for last = now; due >= 1; due-- {
			var head *node
			for range 100 << 10 / 128 {
				head = &node{next: head}
			}
			if head.data[0] == 0 {
				done.Add(1)
			}
		}
	}
}

// report prints a line every 50 ms.
func report(done, storms *atomic.Int64) {
	for {
		time.Sleep(50 * time.Millisecond)
		fmt.Println(line(done, storms))
	}
}

var began = time.Now()

// line formats a point for the parent, which reads it with parseLine.
func line(done, storms *atomic.Int64) string {
	s := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"},
		{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/heap/live:bytes"}, {Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"},
		{Name: "/gc/heap/goal:bytes"}, {Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(s)
	return fmt.Sprintf("at %.3f %d %d %.4f %.4f %d %d %d %d %d %.4f", time.Since(began).Seconds(), done.Load(), storms.Load(),
		s[0].Value.Float64(), s[1].Value.Float64(), s[2].Value.Uint64(), s[3].Value.Uint64(), int32(s[4].Value.Uint64()), s[5].Value.Uint64(), s[6].Value.Uint64(), s[7].Value.Float64()-s[8].Value.Float64())
}
