package rules

import "testing"

const timers = `package main

import "time"

func wait(in chan int) {
	for {
		select {
		case <-in:
		case <-time.After(time.Second):
		}
	}
}

func main() {}
`

func TestTimer(t *testing.T) {
	s := newScene(t, timers)
	s.churn("time.After", s.frame("wait", "time.After"))
	has(t, s.wants("timer", "time.After").Example, "Reset")
}
