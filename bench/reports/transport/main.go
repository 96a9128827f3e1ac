// Layers reads the layers of images from a blob store, and remembers their sizes.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"sync"
	"time"
)

// bucket is one bucket of the store.
type bucket struct {
	base string
	wait time.Duration

	mu    sync.Mutex
	sizes [512]int
}

// get reads an object.
func (b *bucket) get(key int) ([]byte, error) {
	client := &http.Client{
		Transport: &http.Transport{ResponseHeaderTimeout: b.wait},
	}
	resp, err := client.Get(fmt.Sprintf("%s/layers/%d", b.base, key))
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("layer %d: %s", key, resp.Status)
	}
	return io.ReadAll(resp.Body)
}

func (b *bucket) inspect(key int) {
	data, err := b.get(key)
	if err != nil {
		log.Print(err)
		return
	}
	b.mu.Lock()
	b.sizes[key%len(b.sizes)] = len(data)
	b.mu.Unlock()
}

func store(w http.ResponseWriter, r *http.Request) {
	w.Write(bytes.Repeat([]byte(r.URL.Path), 200))
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	role := flag.String("role", "registry", "registry or store")
	upstream := flag.String("upstream", "", "URL of the store")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	if *role == "store" {
		log.Fatal(http.ListenAndServe(*addr, http.HandlerFunc(store)))
	}
	b := &bucket{base: *upstream, wait: 5 * time.Second}
	go func() {
		for key := 0; ; key++ {
			go b.inspect(key)
			time.Sleep(40 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
