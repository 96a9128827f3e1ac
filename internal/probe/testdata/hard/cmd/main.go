package main

import (
	"fmt"
	"runtime"
)

var os, strings = 1, 2

var live [][]byte

func string_() {}

func main() {
	for i := 0; i < 32; i++ {
		live = append(live, make([]byte, 1<<20))
	}
	for i := 0; i < 5; i++ {
		runtime.GC()
	}
	fmt.Println("done", max())
	runtime.KeepAlive(live)
}

func max() int { return 0 }
