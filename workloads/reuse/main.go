// Reuse is a program with two requests that use the same pool of arenas one after the
// other. The first keeps a pointer after its arena was freed, which no program may do.
// It prints the places of all values as JSON; package pictures draws them.
//
// Expected: the pointer that was kept is the address of a value of the second request,
// of a compatible type.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"unsafe"

	"github.com/heapwright/heapwright/arena"
)

type order struct {
	next *order
	id   uint64
}

type reading struct{ at, value float64 }

// cell is a value in the memory of an arena.
type cell struct {
	Kind, Text string
	At         uintptr
}

// requests are the cells of both, and the address that the first one keeps.
type requests struct {
	First, Second []cell
	Kept          uintptr
}

func main() {
	var pool arena.Pool
	request := func(n, orders, readings int) (cells []cell, kept uintptr) {
		a := pool.Get()
		defer a.Free()
		add := func(kind string, p unsafe.Pointer, i int) {
			cells = append(cells, cell{kind, fmt.Sprintf("%d.%d", n, i+1), uintptr(p)})
		}
		for i := range max(orders, readings) {
			if i < orders {
				o := unsafe.Pointer(arena.New[order](a))
				add("order: has a pointer", o, i)
				if i == 2 {
					kept = uintptr(o)
				}
			}
			if i < readings {
				add("reading: only numbers", unsafe.Pointer(arena.New[reading](a)), i)
			}
		}
		return cells, kept
	}
	var r requests
	r.First, r.Kept = request(1, 8, 6)
	r.Second, _ = request(2, 6, 8)
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		fmt.Fprintln(os.Stderr, "reuse:", err)
		os.Exit(1)
	}
}
