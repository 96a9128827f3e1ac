//go:build unix

// Geo answers from a database that it maps, and maps again when there is a new one.
package main

import (
	_ "expvar"
	"flag"
	"fmt"
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// database is a mapped file.
type database struct {
	data []byte
	sum  uint64
}

var current atomic.Pointer[database]

// reload maps a file and reads it through.
func reload(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	if err != nil {
		return err
	}
	db := &database{data: data}
	for i := 0; i < len(data); i += os.Getpagesize() {
		data[i]++ // decodes the page in place
		db.sum += uint64(data[i])
	}
	current.Store(db)
	return nil
}

// write makes a database.
func write() (string, error) {
	f, err := os.CreateTemp("", "geo")
	if err != nil {
		return "", err
	}
	if _, err := f.Write(make([]byte, 512<<10)); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// metrics publishes the resident memory, as client libraries do.
func metrics(w http.ResponseWriter, _ *http.Request) {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	pages, _ := strconv.Atoi(strings.Fields(string(b))[1])
	fmt.Fprintf(w, "# TYPE process_resident_memory_bytes gauge\nprocess_resident_memory_bytes %d\n", pages*os.Getpagesize())
}

func main() {
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	length := flag.Duration("for", 5*time.Minute, "end after this `TIME`")
	flag.Parse()
	time.AfterFunc(*length, func() { os.Exit(0) })
	name, err := write()
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/metrics", metrics)
	go func() {
		defer os.Remove(name)
		for range 3000 {
			if err := reload(name); err != nil {
				log.Print(err)
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	log.Fatal(http.ListenAndServe(*addr, nil))
}
