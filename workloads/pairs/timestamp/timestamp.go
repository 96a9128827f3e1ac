// Package timestamp is a pair for times that become text: an event log is written
// as lines. Before, each line formats its time into a string that is then copied;
// after, the time is appended to the line.
package timestamp

import (
	"strconv"
	"time"
)

// event is an entry of the log.
type event struct {
	at      time.Time
	service string
	code    int
}

// writer appends the lines of events.
type writer func(out []byte, events []event) []byte

func before(out []byte, events []event) []byte {
	for _, e := range events {
		out = append(out, e.at.Format(time.RFC3339Nano)...)
		out = rest(out, e)
	}
	return out
}

func after(out []byte, events []event) []byte {
	for _, e := range events {
		out = e.at.AppendFormat(out, time.RFC3339Nano)
		out = rest(out, e)
	}
	return out
}

// rest appends a line behind its time.
func rest(out []byte, e event) []byte {
	out = append(out, ' ')
	out = append(out, e.service...)
	out = append(out, ' ')
	out = strconv.AppendInt(out, int64(e.code), 10)
	return append(out, '\n')
}
