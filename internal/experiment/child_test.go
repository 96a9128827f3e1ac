//go:build linux || darwin

package experiment_test

import (
	"fmt"
	"os"
	"testing"
	"time"
)

// TestMain makes this binary a program that can be measured: with the argument
// child it follows the variable CHILD.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		child(os.Args[2:])
		return
	}
	os.Exit(m.Run())
}

var kept [][]byte

func child(args []string) {
	timed := os.Getenv("HEAPWRIGHT_PROBE") == ""
	switch does := os.Getenv("CHILD"); {
	case does == "hang" && timed:
		hang()
	case does == "die" && timed:
		fmt.Fprintln(os.Stderr, "no more")
		os.Exit(2)
	case does == "garbage":
		for _, f := range []*os.File{os.Stdout, os.Stderr} {
			f.WriteString("gc 1 @x \xff\x00 gc 2 @0.001s 1%: ms clock\nBenchmarkX 1 2\n# block 7\nmode: default\n")
		}
	}
	for range 100 * (1 + len(args)) {
		kept = append(kept, make([]byte, 1<<10))
	}
}

// hang starts a process that holds this one's files, and waits with it.
func hang() {
	lock, err := os.OpenFile(os.Getenv("LOCK"), os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	if err := hold(lock); err != nil {
		panic(err)
	}
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	if len(os.Args) == 2 {
		if _, err := os.StartProcess(self, []string{self, "child", "grandchild"}, &os.ProcAttr{Files: []*os.File{nil, os.Stdout, os.Stderr, lock}}); err != nil {
			panic(err)
		}
	}
	time.Sleep(time.Hour)
}
