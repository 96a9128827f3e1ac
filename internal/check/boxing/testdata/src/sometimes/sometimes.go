// Package sometimes has values that are boxed in some iterations, or that may be too
// small to be allocated.
package sometimes

import (
	"fmt"
	"io"
	"log/slog"
)

type id int64

func branch(w io.Writer, n int) {
	for i := range n {
		if i%2 == 0 {
			fmt.Fprintln(w, i) // want `boxes i`
		} else if i%3 == 0 {
			fmt.Fprintln(w, -i) // want `boxes -i`
		}
	}
}

func breaksTheSwitch(w io.Writer, n int) {
	for i := range n {
		switch i {
		case 1:
			fmt.Fprintln(w, i) // want `boxes i`
			break
		}
	}
}

func bytesOf(ids []id) (b []byte) {
	for _, id := range ids {
		b = fmt.Appendf(b, "%x;", id) // want `fmt.Appendf boxes id in each iteration: append and strconv`
	}
	return b
}

func integers(w io.Writer, names []string) {
	for i := range names {
		fmt.Fprintln(w, i)            // want `boxes i`
		slog.Info("name", "index", i) // want `boxes i`
		size(i)                       // want `boxes i`
	}
}

func size(v any) {
	switch v.(type) {
	case int:
	}
}

func shortCircuit(names []string) (ok bool) {
	for i, name := range names {
		ok = ok || ask(fmt.Sprint(i, name)) // want `boxes i and name`
	}
	return ok
}

func ask(string) bool { return true }

func guard(w io.Writer, names []string) {
	for _, name := range names {
		if name == "" {
			continue
		}
		fmt.Fprintln(w, name) // want `boxes name`
	}
}

func guardAbove(w io.Writer, names []string) {
outer:
	for _, name := range names {
		switch name {
		case "":
			continue outer
		}
		{
			fmt.Fprintln(w, name) // want `boxes name`
		}
	}
}

func defaults(w io.Writer, names []string) {
	for _, name := range names {
		switch name {
		case "":
		default:
			fmt.Fprintln(w, name) // want `boxes name`
		}
	}
}

func otherwise(w io.Writer, names []string, f func() error) {
	for _, name := range names {
		if err := f(); err != nil {
			fmt.Fprintln(w, name) // want `boxes name`
			continue
		}
	}
}
