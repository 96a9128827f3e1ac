package main

import "sync"

type growingHistory struct {
	mu     sync.Mutex
	events [][]byte
}

func (h *growingHistory) record(int) {
	event := make([]byte, entry)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, event) // grows: history
}

// steadyHistory keeps the last events, by trimming the front.
type steadyHistory struct {
	mu     sync.Mutex
	events [][]byte
}

func (h *steadyHistory) record(int) {
	event := make([]byte, entry)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.events = append(h.events, event)
	if n := len(h.events) - bound; n > 0 {
		h.events = h.events[n:]
	}
}
