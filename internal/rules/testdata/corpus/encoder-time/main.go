// The time of every entry is formatted to a new string.
package main

import (
	"io"
	"time"

	"github.com/heapwright/heapwright/internal/rules/testdata/corpus/harness"
)

type entry struct {
	at   time.Time
	text string
}

func write(w io.Writer, entries []entry) error {
	for _, e := range entries {
		stamp := e.at.Format(time.RFC3339Nano) // want: encoder
		if _, err := io.WriteString(w, stamp); err != nil {
			return err
		}
		if _, err := io.WriteString(w, e.text); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	entries := make([]entry, 1000)
	for i := range entries {
		entries[i] = entry{time.Unix(int64(1e9+i), int64(i)), "something happened"}
	}
	harness.Run(func() {
		if err := write(io.Discard, entries); err != nil {
			panic(err)
		}
	})
}
