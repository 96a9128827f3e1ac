// Login limits how often an address may fail to log in.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"time"
)

// limiter allows max events of an address within a window.
type limiter struct {
	mu     sync.Mutex
	events map[string][]time.Time
	max    int
	window time.Duration
}

// expire forgets the events of an address that are older than the window.
func (l *limiter) expire(ip string, now time.Time) {
	kept := l.events[ip][:0]
	for _, t := range l.events[ip] {
		if now.Sub(t) < l.window {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		delete(l.events, ip)
		return
	}
	l.events[ip] = kept
}

// fail records a failure, and reports whether the address may try again.
func (l *limiter) fail(ip string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.expire(ip, now)
	l.events[ip] = append(l.events[ip], now)
	return len(l.events[ip]) < l.max
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	l := &limiter{events: map[string][]time.Time{}, max: 5, window: time.Second}
	go func() {
		refused := 0
		for i := 0; ; i++ {
			form := make([]byte, 2<<10)
			ip := fmt.Sprintf("2001:db8:%x:%x::%x", i>>16, i&0xffff, len(form))
			if i%50 == 0 {
				ip = "192.0.2.7"
			}
			if !l.fail(ip) {
				refused++
			}
			if i%5 == 0 {
				time.Sleep(2 * time.Millisecond)
			}
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
