package main

import (
	"container/list"
	"sync"
)

type growingJobs struct {
	mu   sync.Mutex
	done list.List
}

func (j *growingJobs) add(int) {
	result := make([]byte, entry)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done.PushBack(result) // grows: list
}

type steadyJobs struct {
	mu   sync.Mutex
	done list.List
}

func (j *steadyJobs) add(int) {
	result := make([]byte, entry)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done.PushBack(result)
	for j.done.Len() > bound {
		j.done.Remove(j.done.Front())
	}
}
