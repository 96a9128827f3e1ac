package a

import (
	"context"
	"io"
	"net/http"
	"os"
	"sync"
	"time"
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

func overMap(names map[string]bool) {
	for name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close() // want `defer in a loop`
		io.Copy(io.Discard, f)
	}
}

func overChannel(files chan *os.File) {
	for f := range files {
		defer f.Close() // want `defer in a loop`
	}
}

func overInt(n int, open func() func()) {
	for range n {
		done := open()
		defer done() // want `defer in a loop`
	}
}

func counted(n int, open func(int) io.Closer) {
	for i := 0; i < n; i++ {
		c := open(i)
		defer c.Close() // want `defer in a loop`
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

func condition(more func() bool, get func() *sync.Mutex) {
	for more() {
		l := get()
		l.Lock()
		defer l.Unlock() // want `defer in a loop`
	}
}

func initialized(names []string) {
	for _, name := range names {
		if f, err := os.Open(name); err == nil {
			defer f.Close() // want `defer in a loop`
			io.Copy(io.Discard, f)
		}
	}
}

func timeouts(ctx context.Context, n int, call func(context.Context) error) error {
	for range n {
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel() // want `defer in a loop`
		if err := call(ctx); err != nil {
			return err
		}
	}
	return nil
}

func bodies(urls []string) error {
	for _, u := range urls {
		r, err := http.Get(u)
		if err != nil {
			return err
		}
		defer r.Body.Close() // want `defer in a loop`
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return err
		}
	}
	return nil
}

func argument(names []string, closeFile func(*os.File)) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer closeFile(f) // want `defer in a loop`
	}
}

func literal(names []string) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer func() { f.Close() }() // want `defer in a loop`
	}
}

func continues(names []string) {
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close() // want `defer in a loop`
		if name == "" {
			continue
		}
		return
	}
}

func nested(rows [][]string) {
	for _, row := range rows {
		for _, name := range row {
			f, _ := os.Open(name)
			defer f.Close() // want `defer in a loop`
			break
		}
	}
}

func constantInside(rows [][]string) {
	for range rows {
		for range 3 {
			f, _ := os.Open("a")
			defer f.Close() // want `defer in a loop`
		}
	}
}

func closure(names []string) func() {
	return func() {
		for _, name := range names {
			f, _ := os.Open(name)
			defer f.Close() // want `defer in a loop`
		}
	}
}

func generic[T io.Closer](n int, open func() T) {
	for range n {
		c := open()
		defer c.Close() // want `defer in a loop`
	}
}

type group struct{ names []string }

func (g *group) method() {
	for _, name := range g.names {
		f, _ := os.Open(name)
		defer f.Close() // want `defer in a loop`
	}
}

func deferred(names []string) {
	defer func() {
		for _, name := range names {
			f, _ := os.Open(name)
			defer f.Close() // want `defer in a loop`
		}
	}()
}

func goroutine(names []string) {
	go func() {
		for _, name := range names {
			f, _ := os.Open(name)
			defer f.Close() // want `defer in a loop`
		}
	}()
}

func assigned(names []string) {
	var f *os.File
	for _, name := range names {
		f, _ = os.Open(name)
		defer f.Close() // want `defer in a loop`
	}
}

func grown(more string) {
	names := []string{"a"}
	names = append(names, more)
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close() // want `defer in a loop`
	}
}

func iterator(files func(func(*os.File) bool)) {
	for f := range files {
		defer f.Close() // want `defer in a loop`
	}
}
