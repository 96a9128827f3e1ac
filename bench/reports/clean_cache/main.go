// Thumbs answers from a cache of pictures that is full, and drops the oldest for each new one.
package main

import (
	"container/list"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"
)

type picture struct {
	key  string
	data []byte
}

// cache holds the pictures that were used last.
type cache struct {
	most   int
	recent *list.List // of *picture
	byKey  map[string]*list.Element
}

func (c *cache) get(key string) *picture {
	if e, ok := c.byKey[key]; ok {
		c.recent.MoveToFront(e)
		return e.Value.(*picture)
	}
	p := &picture{key, make([]byte, 4<<10)}
	c.byKey[key] = c.recent.PushFront(p)
	if c.recent.Len() > c.most {
		old := c.recent.Remove(c.recent.Back()).(*picture)
		delete(c.byKey, old.key)
	}
	return p
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	c := &cache{most: 8000, recent: list.New(), byKey: map[string]*list.Element{}}
	for i := range c.most {
		c.get(fmt.Sprintf("picture-%d", i))
	}
	go func() {
		served := 0
		for {
			served += len(c.get(fmt.Sprintf("picture-%d", rand.N(40_000))).data)
			time.Sleep(time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
