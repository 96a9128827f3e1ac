package clean

import (
	"fmt"
	"io"
	"os"
	"strings"
)

// Each line has a builder of its own, or one that is not filled again.
func builders(lines []string, each func(string)) (all string) {
	for _, line := range lines {
		var b strings.Builder
		b.WriteString(line)
		each(b.String())
		b.Reset()
	}
	var whole strings.Builder
	fmt.Fprint(&whole, lines)
	all = whole.String()
	whole.Reset()
	return all
}

// Others may ask for the type of the builder, for its capacity, or for words about its panic.
func builderUses(lines []string, each func(io.Writer)) (n int) {
	var passed strings.Builder
	var capacity strings.Builder
	var copied strings.Builder
	var method strings.Builder
	var negative strings.Builder
	var printed strings.Builder
	var unread strings.Builder
	var kept strings.Builder
	var one, other strings.Builder
	for _, line := range lines {
		passed.Reset()
		passed.WriteString(line)
		each(&passed)
		n += len(passed.String())

		capacity.Reset()
		capacity.WriteString(line)
		n += capacity.Cap() + len(capacity.String())

		copied.Reset()
		copied.WriteString(line)
		another := copied
		n += len(another.String()) + len(copied.String())

		method.Reset()
		write := method.WriteString
		write(line)
		n += len(method.String())

		negative.Reset()
		negative.Grow(n - len(line))
		negative.WriteString(line)
		n += len(negative.String())

		printed.Reset()
		printed.WriteString(line)
		n += len(printed.String())
		fmt.Fprint(os.Stderr, &printed)

		unread.Reset()
		unread.WriteString(line)
		n += unread.Len()

		kept.Reset()
		kept.WriteString(line)
		p := &kept
		n += len(p.String()) + len(kept.String())

		one.Reset()
		one.WriteString(line)
		other.WriteString(one.String())
		n += len(other.String())
	}
	return n
}

// The builder is the caller's.
func callers(b *strings.Builder, lines []string) (n int) {
	for _, line := range lines {
		b.Reset()
		b.WriteString(line)
		n += len(b.String())
	}
	return n
}
