package process

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// However a stream is cut into writes, the same part of it is kept.
func TestCapture(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.SampledFrom([]rune("ab\n\n")), 0, 200, -1).Draw(t, "text")
		text = strings.Repeat(text, rapid.IntRange(1, 300).Draw(t, "times"))
		limit := rapid.IntRange(0, len(text)+1).Draw(t, "limit")

		var got []string
		cut := &Lines{Each: func(l []byte) { got = append(got, string(l)) }}
		c := &capture{limit: limit, next: cut}
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			c.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		cut.Flush()

		if string(c.head) != text[:min(limit, len(text))] || c.dropped() != int64(len(text)-len(c.head)) {
			t.Fatalf("head of %d bytes, %d dropped, of %d", len(c.head), c.dropped(), len(text))
		}
		all := strings.Split(strings.TrimRight(text, "\n"), "\n")
		if want := strings.Join(all[max(0, len(all)-tailLines):], "\n"); len(want) < tailBytes && c.tail() != want {
			t.Fatalf("tail %q, want %q", c.tail(), want)
		}
		var want []string
		for line := range strings.SplitSeq(text, "\n") {
			if line != "" {
				want = append(want, line[:min(len(line), maxLine)])
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("lines %q, want %q", got, want)
		}
	})
}

func TestCrashReasonIsKept(t *testing.T) {
	var c crash
	l := &Lines{Each: c.line}
	text := "starting\npanic: " + strings.Repeat("why ", 1000) + "\n\ngoroutine 1 [running]:\n"
	l.Write([]byte(text[:12]))
	l.Write([]byte(text[12:]))
	last := c.before("the end")
	if !strings.HasPrefix(last, "panic: why ") || !strings.HasSuffix(last, "\n…\nthe end") || len(last) > 2*maxLine {
		t.Errorf("%q", last)
	}
}
