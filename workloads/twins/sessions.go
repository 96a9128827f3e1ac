package main

import (
	"sync"
	"time"
)

type session struct {
	seen time.Time
	data []byte
}

func newSession() *session {
	return &session{time.Now(), make([]byte, entry)}
}

// endlessSessions are never closed.
type endlessSessions struct {
	mu  sync.Mutex
	all map[int]*session
}

func growingSessions() *endlessSessions { return &endlessSessions{all: map[int]*session{}} }

func (s *endlessSessions) open(n int) {
	v := newSession()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[n] = v // grows: sessions
}

// expiringSessions end after a second.
type expiringSessions struct {
	mu    sync.Mutex
	all   map[int]*session
	swept time.Time
}

func steadySessions() *expiringSessions { return &expiringSessions{all: map[int]*session{}} }

func (s *expiringSessions) open(n int) {
	v := newSession()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[n] = v
	if time.Since(s.swept) > time.Second/4 {
		s.swept = time.Now()
		s.expire()
	}
}

func (s *expiringSessions) expire() {
	for n, v := range s.all {
		if time.Since(v.seen) > time.Second {
			delete(s.all, n)
		}
	}
}
