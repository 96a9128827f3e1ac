package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"
)

// workerVariable holds a job in the environment of a worker, which is this
// program started once more.
const workerVariable = "HEAPWRIGHT_BENCH_JOB"

type job struct {
	Peer, Shape string
	Limit       int64 // the cgroup's limit in bytes
}

// work does a job, in the cgroup that the process is in.
func work(text string) error {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	runtime.GOMAXPROCS(shapeProcs)
	p := slices.IndexFunc(peers, func(p peer) bool { return p.name == j.Peer })
	if err := peers[p].start(j.Limit); err != nil {
		return err
	}
	var done atomic.Int64
	s := slices.IndexFunc(shapes, func(s shape) bool { return s.name == j.Shape })
	err := playShape(shapes[s], &done)
	fmt.Println(now(&done))
	return err
}

// leaked is a registry from which nothing is ever removed.
var leaked [][]*entry

// entry is live: a cached body and a pointer to it.
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

// report prints a point every 50 ms.
func report(done *atomic.Int64) {
	for {
		time.Sleep(50 * time.Millisecond)
		fmt.Println(now(done))
	}
}

var began = time.Now()

// point is one line of a worker: totals since it began.
type point struct {
	At       float64 // seconds
	Done     int64   // units of 100 KiB of garbage
	GC, Busy float64 // CPU seconds of collections, and all that the runtime counts as not idle
}

// now returns the point that a worker has reached, for its parent.
func now(done *atomic.Int64) string {
	s := []metrics.Sample{{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(s)
	text, err := json.Marshal(point{
		At: time.Since(began).Seconds(), Done: done.Load(), GC: s[0].Value.Float64(), Busy: s[1].Value.Float64() - s[2].Value.Float64(),
	})
	if err != nil {
		panic(err) // the runtime counts nothing that JSON cannot write
	}
	return string(text)
}
