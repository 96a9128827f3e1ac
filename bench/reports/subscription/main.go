// Frontend keeps the sessions of players, each with a subject of the bus of its own.
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

	"github.com/heapwright/heapwright/bench/reports/subscription/bus"
)

type session struct {
	id    int
	inbox []byte
	got   int
}

type sessions struct {
	conn *bus.Conn
	mu   sync.Mutex
	open map[int]*session
}

// begin opens the session of a player.
func (s *sessions) begin(id int) *session {
	p := &session{id: id, inbox: make([]byte, 4<<10)}
	s.conn.Subscribe(fmt.Sprintf("player.%d", id), func(msg []byte) { p.got += copy(p.inbox, msg) })
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[id] = p
	return p
}

// end closes it.
func (s *sessions) end(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, id)
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	s := &sessions{conn: bus.Connect(), open: map[int]*session{}}
	go func() {
		for id := 0; ; id++ {
			s.begin(id)
			s.conn.Publish(fmt.Sprintf("player.%d", id), []byte("welcome"))
			if id >= 100 {
				s.end(id - 100)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
