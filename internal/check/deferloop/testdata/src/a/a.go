package a

import (
	"os"
	"sync"
)

func overSlice(names []string) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close() // want `defer in a loop`
	}
	return nil
}

func overMap(locks map[string]*sync.Mutex) {
	for _, l := range locks {
		l.Lock()
		defer l.Unlock() // want `defer in a loop`
	}
}

func overChannel(files chan *os.File) {
	for f := range files {
		defer f.Close() // want `defer in a loop`
	}
}

func overInt(n int, f func()) {
	for range n {
		defer f() // want `defer in a loop`
	}
}

func counted(n int, f func()) {
	for i := 0; i < n; i++ {
		defer f() // want `defer in a loop`
	}
}

func endless(next func() (func(), bool)) {
	for {
		f, ok := next()
		if !ok {
			return
		}
		defer f() // want `defer in a loop`
	}
}

func condition(more func() bool, f func()) {
	for more() {
		defer f() // want `defer in a loop`
	}
}

func branch(names []string, f func()) {
	for _, name := range names {
		if name != "" {
			defer f() // want `defer in a loop`
		}
	}
}

func cases(names []string, f func()) {
	for _, name := range names {
		switch name {
		case "a":
			defer f() // want `defer in a loop`
		}
	}
}

func breaksSwitch(names []string, f func()) {
	for _, name := range names {
		switch name {
		case "a":
			defer f() // want `defer in a loop`
			break
		}
	}
}

func continues(names []string, f func()) {
	for _, name := range names {
		if name == "" {
			defer f() // want `defer in a loop`
			continue
		}
		return
	}
}

func jumps(more func() bool, f func()) {
again:
	defer f() // want `defer in a loop`
	if more() {
		goto again
	}
}

func nested(rows [][]string, f func()) {
	for _, row := range rows {
		for range row {
			defer f() // want `defer in a loop`
			break
		}
	}
}

func constantInside(rows [][]string, f func()) {
	for range rows {
		for range 3 {
			defer f() // want `defer in a loop`
		}
	}
}

func closure(names []string, f func()) func() {
	return func() {
		for range names {
			defer f() // want `defer in a loop`
		}
	}
}

func generic[T interface{ Close() error }](all []T) {
	for _, c := range all {
		defer c.Close() // want `defer in a loop`
	}
}

type group struct{ files []*os.File }

func (g *group) method() {
	for _, f := range g.files {
		defer f.Close() // want `defer in a loop`
	}
}

func deferred(names []string, f func()) {
	defer func() {
		for range names {
			defer f() // want `defer in a loop`
		}
	}()
}

func selected(events chan int, done chan bool, f func()) {
	for {
		select {
		case <-events:
			defer f() // want `defer in a loop`
		case <-done:
			return
		}
	}
}

func literal(names []string, f func(string)) {
	for _, name := range names {
		defer func() { f(name) }() // want `defer in a loop`
	}
}

func grown(more string, f func()) {
	names := []string{"a"}
	names = append(names, more)
	for range names {
		defer f() // want `defer in a loop`
	}
}

func iterator(seq func(func(int) bool), f func()) {
	for range seq {
		defer f() // want `defer in a loop`
	}
}
