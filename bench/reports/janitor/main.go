// Agent watches containers, and resolves the addresses that each one connects to.
package main

import (
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"time"

	"github.com/heapwright/heapwright/bench/reports/janitor/expirable"
)

// container resolves names for one container.
type container struct {
	id    int
	names *expirable.Cache[string, string]
}

func watch(id int) *container {
	return &container{id, expirable.New[string, string](10 * time.Minute)}
}

func (c *container) resolve(addr string) string {
	if name, ok := c.names.Get(addr); ok {
		return name
	}
	name := fmt.Sprintf("host-%s.container-%d", addr, c.id)
	c.names.Add(addr, name)
	return name
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	go func() {
		var running [50]*container
		for id := 0; ; id++ {
			c := watch(id)
			running[id%len(running)] = c // the container of this place has ended
			for i := range 20 {
				c.resolve(fmt.Sprintf("10.0.%d.%d", id%200, i))
			}
			time.Sleep(20 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
