package main

import "sync"

// growingWaiters start a goroutine for each question, and answer none.
type growingWaiters struct{ answers chan []byte }

func (w *growingWaiters) ask(int) {
	question := make([]byte, entry)
	go func() {
		answer := <-w.answers // grows: waiters
		copy(question, answer)
	}()
}

// steadyWaiters answer the oldest when there are too many, as long polls end.
type steadyWaiters struct {
	mu      sync.Mutex
	waiting []chan []byte
}

func (w *steadyWaiters) ask(int) {
	question, answer := make([]byte, entry), make(chan []byte)
	go func() { copy(question, <-answer) }()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, answer)
	if len(w.waiting) > bound {
		close(w.waiting[0])
		w.waiting = w.waiting[1:]
	}
}
