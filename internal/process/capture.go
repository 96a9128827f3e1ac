package process

import (
	"bytes"
	"io"
)

// The part of a stream that is kept for people: enough for a panic and its first
// frames, little enough to stand in a report.
const (
	tailLines = 20
	tailBytes = 8 << 10
)

// capture keeps the first limit bytes and the last lines of a stream in
// bounded memory, and passes all of it on.
type capture struct {
	limit int
	next  io.Writer // may be nil

	head  []byte
	total int64
	last  []byte // the last tailBytes, or up to twice as many
}

func (c *capture) Write(p []byte) (int, error) {
	if room := c.limit - len(c.head); room > 0 {
		c.head = append(c.head, p[:min(room, len(p))]...)
	}
	c.total += int64(len(p))
	c.last = append(c.last, p[max(0, len(p)-tailBytes):]...)
	if len(c.last) > 2*tailBytes {
		c.last = append(c.last[:0], c.last[len(c.last)-tailBytes:]...)
	}
	if c.next != nil {
		c.next.Write(p) // a collector that fails shows it in its result
	}
	return len(p), nil
}

func (c *capture) dropped() int64 { return c.total - int64(len(c.head)) }

// tail returns the last lines.
func (c *capture) tail() string {
	t := bytes.TrimRight(c.last, "\n")
	if len(t) > tailBytes {
		t = t[len(t)-tailBytes:]
		t = t[bytes.IndexByte(t, '\n')+1:]
	}
	from := len(t)
	for range tailLines {
		i := bytes.LastIndexByte(t[:from], '\n')
		if i < 0 {
			return string(t)
		}
		from = i
	}
	return string(t[from+1:])
}
