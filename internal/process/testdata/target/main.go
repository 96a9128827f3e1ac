// Command target does one thing of which the truth is known, for the tests of
// package process.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"time"
)

var sink [][]byte

func main() {
	n := 0
	if len(os.Args) > 2 {
		n, _ = strconv.Atoi(os.Args[2])
	}
	switch os.Args[1] {
	case "nothing":
	case "live": // n MiB, every page written
		for range n {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			sink = append(sink, b)
		}
		if len(os.Args) > 3 { // twice, for the last cycle may not be told
			runtime.GC()
			runtime.GC()
		}
	case "hoard": // 256 MiB that live, and an end that never comes
		for range 256 {
			b := make([]byte, 1<<20)
			for i := 0; i < len(b); i += 4096 {
				b[i] = 1
			}
			sink = append(sink, b)
		}
		time.Sleep(time.Hour)
	case "cat":
		_, err := io.Copy(os.Stdout, os.Stdin)
		must(err)
	case "network": // interfaces, whether we reach ourselves, and our capabilities
		var names []string
		all, err := net.Interfaces()
		must(err)
		for _, i := range all {
			names = append(names, i.Name)
		}
		fmt.Println("interfaces:", strings.Join(names, " "))
		l, err := net.Listen("tcp", "127.0.0.1:0")
		fmt.Println("listen:", err)
		if err == nil {
			_, err = net.Dial("tcp", l.Addr().String())
			fmt.Println("dial:", err)
		}
		status, err := os.ReadFile("/proc/self/status")
		must(err)
		_, rights, _ := strings.Cut(string(status), "CapEff:\t")
		rights, _, _ = strings.Cut(rights, "\n")
		fmt.Println("rights:", rights)
	case "gc": // n forced collections
		for range n {
			runtime.GC()
		}
	case "churn": // n MiB of garbage, beside 8 MiB that live
		sink = make([][]byte, 1<<13)
		for i := range n << 10 {
			sink[i%len(sink)] = make([]byte, 1<<10)
		}
	case "burn": // n ms of wall time
		for end := time.Now().Add(time.Duration(n) * time.Millisecond); time.Now().Before(end); {
		}
	case "parent": // the same in a child, of which it tells the CPU time
		c := child("burn", os.Args[2])
		must(c.Run())
		fmt.Println(c.ProcessState.UserTime() + c.ProcessState.SystemTime())
	case "orphan": // a child that outlives us, with our streams
		c := child("hang")
		must(c.Start())
		fmt.Println(c.Process.Pid)
	case "print": // n MiB in lines
		line := strings.Repeat("x", 1023) + "\n"
		for range n << 10 {
			fmt.Print(line)
		}
	case "hang":
		fmt.Println("hanging")
		time.Sleep(time.Hour)
	case "up": // as a server that says so
		fmt.Fprintln(os.Stderr, "up")
		time.Sleep(time.Hour)
	case "stubborn":
		signal.Ignore()
		fmt.Fprintln(os.Stderr, "hanging")
		time.Sleep(time.Hour)
	case "panic":
		for range 100 {
			go func() { time.Sleep(time.Hour) }()
		}
		runtime.Gosched()
		panic("out of ideas")
	case "exit":
		fmt.Println("last words")
		os.Exit(n)
	case "env":
		fmt.Println(strings.Join(os.Environ(), "\n"))
	case "fds":
		entries, err := os.ReadDir("/proc/self/fd")
		must(err)
		for _, e := range entries {
			file, _ := os.Readlink("/proc/self/fd/" + e.Name())
			fmt.Println(e.Name(), file, ".")
		}
	}
}

func child(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
