package main

import "sync"

type request struct{ body []byte }

type growingRequests struct{ running sync.Map }

func (r *growingRequests) begin(n int) {
	r.running.Store(n, &request{make([]byte, entry)}) // grows: syncmap
}

// steadyRequests end when as many others have begun.
type steadyRequests struct{ running sync.Map }

func (r *steadyRequests) begin(n int) {
	r.running.Store(n, &request{make([]byte, entry)})
	r.running.CompareAndDelete(n-bound, r.find(n-bound))
}

func (r *steadyRequests) find(n int) any {
	v, _ := r.running.Load(n)
	return v
}
