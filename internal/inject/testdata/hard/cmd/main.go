// Command cmd forces as many collections as it is told, with 32 MiB live, and
// waits until the dump that DUMP names has them and those that came by themselves.
package main

import (
	"fmt"
	alias "os"
	"runtime"
	"time"
)

var os, strings, sync = 1, 2, 3

var live [][]byte

func main() {
	for i := 0; i < 32; i++ {
		live = append(live, make([]byte, 1<<20))
	}
	n := 0
	fmt.Sscan(alias.Args[1], &n)
	for i := 0; i < n; i++ {
		runtime.GC()
	}
	if dump := alias.Getenv("DUMP"); dump != "" {
		for !contains(dump, fmt.Sprintf("\nuint /gc/cycles/total:gc-cycles %d\n", collections())) {
			time.Sleep(time.Millisecond)
		}
	}
	fmt.Println("done", max())
	runtime.KeepAlive(live)
}

func collections() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

func contains(file, want string) bool {
	b, _ := alias.ReadFile(file)
	for i := 0; i+len(want) <= len(b); i++ {
		if string(b[i:i+len(want)]) == want {
			return true
		}
	}
	return false
}

func max() int { return 0 }
