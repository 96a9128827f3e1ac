package demo

import "time"

// mostSessions bounds the leak to some hundred megabytes, which it reaches after hours.
const mostSessions = 50_000

// newSessions leaks a goroutine for each session: when the client has gone, nobody
// receives from the channel.
func newSessions() func() {
	var sessions int
	return func() {
		if sessions++; sessions%5 == 0 && sessions/5 < mostSessions {
			notify(sessions)
		}
	}
}

func notify(session int) {
	done := make(chan []byte)
	go func() {
		done <- render(session)
	}()
	select {
	case <-done:
	case <-time.After(time.Microsecond): // the client has gone
	}
}

// render takes longer than any client waits.
func render(session int) []byte {
	page := make([]byte, 4<<10)
	time.Sleep(time.Millisecond)
	page[0] = byte(session)
	return page
}
