// Target is a service that holds 200 MiB in the way that -hold names.
package main

import (
	_ "expvar"
	"flag"
	"fmt"
	"io"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

const size = 200 << 20

var held [][]byte

func main() {
	hold := flag.String("hold", "heap", "heap, stacks, cgo, mmap, cache or gcoff")
	addr := flag.String("addr", "127.0.0.1:6060", "address to listen on")
	file := flag.String("file", "", "of mmap and cache: a `FILE` of 200 MiB")
	flag.Parse()
	if err := fill(*hold, *file); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	time.AfterFunc(3*time.Minute, func() { os.Exit(0) })
	fmt.Fprintln(os.Stderr, http.ListenAndServe(*addr, nil))
	os.Exit(1)
}

func fill(hold, file string) error {
	switch hold {
	case "heap":
		for range size >> 20 {
			held = append(held, touched(1<<20))
		}
	case "gcoff": // all of it is garbage
		debug.SetGCPercent(-1)
		runtime.GC() // a profile is of the last but one collection
		runtime.GC()
		for range size >> 20 {
			held = [][]byte{touched(1 << 20)} // the last one is garbage
		}
	case "stacks":
		for range size >> 16 {
			go deep(500)
		}
		time.Sleep(2 * time.Second)
	case "cgo":
		return inC(size)
	case "mmap":
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		data, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_SHARED)
		page := make([]byte, 1)
		for i := 0; err == nil && i < len(data); i += 4096 {
			copy(page, data[i:]) // faults the page in
		}
		return err
	case "cache":
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, f)
		return err
	}
	return nil
}

func touched(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		b[i] = 1
	}
	return b
}

// deep grows the stack to 64 KiB and stays there: the collector shrinks unused stacks.
//
//go:noinline
func deep(n int) int {
	var frame [64]byte
	if n == 0 {
		select {}
	}
	return deep(n-1) + int(frame[n%64])
}
