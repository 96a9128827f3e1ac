package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"time"
)

// session is the state of a logged-in user. Sessions are the live heap.
type session struct {
	user     string
	scopes   []string
	features map[string]bool
	recent   []*visit
}

type visit struct {
	path, agent string
	//lint:ignore U1000 a pointer for the collector to follow
	next *visit
}

// sessionBytes is the approximate size of a session, map and strings included
// (measured: newSessions(64<<20) leaves 64 MiB live, within 5%).
const sessionBytes = 960

type sessions []*session

// newSessions makes sessions that take about n bytes.
func newSessions(n int) sessions {
	all := make(sessions, max(n/sessionBytes, 1))
	for i := range all {
		s := &session{user: fmt.Sprintf("user-%d", i), scopes: []string{"orders:read", "orders:write"}, features: map[string]bool{}}
		for f := range 4 {
			s.features[fmt.Sprintf("feature-%d", f)] = f%2 == 0
		}
		for v := range 6 {
			s.recent = append(s.recent, &visit{path: fmt.Sprintf("/v1/orders/%d", i+v), agent: fmt.Sprintf("client/%d.%d", i%7, v)})
		}
		all[i] = s
	}
	return all
}

// of returns a user's session. Every user has one: names are spread over
// those that there are.
func (all sessions) of(user string) *session {
	h := fnv.New32a()
	h.Write([]byte(user))
	return all[int(h.Sum32())%len(all)]
}

// leak keeps sessions of users who never come again, until ctx ends: about n
// bytes more each second.
func leak(ctx context.Context, n int) {
	var kept []sessions
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for began, made := time.Now(), 0; ; {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		due := int(time.Since(began).Seconds() * float64(n))
		//lint:ignore SA4010 that nothing uses it is what a leak is
		kept = append(kept, newSessions(due-made))
		made = due
	}
}
