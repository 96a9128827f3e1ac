// Hub lets three hundred browsers wait for news, each up to some seconds at a time.
package main

import (
	"flag"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"time"
)

// hub wakes all that wait when there is news.
type hub struct {
	mu   sync.Mutex
	news chan struct{}
}

func (h *hub) wait() <-chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.news
}

func (h *hub) publish() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.news)
	h.news = make(chan struct{})
}

// ServeHTTP answers when there is news, or after a while.
func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	limit := time.NewTimer(5*time.Second + rand.N(5*time.Second))
	defer limit.Stop()
	select {
	case <-h.wait():
		io.WriteString(w, "news\n")
	case <-limit.C:
		w.WriteHeader(http.StatusNoContent)
	case <-r.Context().Done():
	}
}

// browser asks again and again.
func browser(client *http.Client, url string) {
	for {
		resp, err := client.Get(url)
		if err != nil {
			log.Print(err)
			time.Sleep(time.Second)
			continue
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	h := &hub{news: make(chan struct{})}
	http.Handle("/news", h)
	go func() {
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 300}}
		time.Sleep(200 * time.Millisecond) // until the server listens
		for range 300 {
			go browser(client, "http://"+*addr+"/news")
		}
		for {
			time.Sleep(3 * time.Second)
			h.publish()
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
