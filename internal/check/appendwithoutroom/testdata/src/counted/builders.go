package counted

import (
	"bytes"
	"fmt"
	"strings"
)

func query(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name) // want `the loop grows b to a length that is known before it: call Grow`
		b.WriteByte('&')
	}
	return b.String()
}

func separated(names []string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, name := range names {
		if i > 0 {
			b.WriteString(", ") // want `the loop grows b`
		}
		b.WriteString("\"" + name + "\"")
	}
	b.WriteByte(']')
	return b.String()
}

func conditional(users []user) string {
	var b strings.Builder
	for _, u := range users {
		if u.age > 60 {
			b.WriteString(u.name) // want `the loop grows b`
		}
	}
	return b.String()
}

func through(users []*user) string {
	var b strings.Builder
	for _, u := range users {
		b.WriteString(u.group.name) // want `the loop grows b`
	}
	return b.String()
}

func repeated(n int, s string) string {
	var b strings.Builder
	for range n {
		b.WriteString(s) // want `the loop grows b`
		b.WriteByte(' ')
	}
	return b.String()
}

func dots(names []string) string {
	var b strings.Builder
	for range names {
		b.WriteByte('.') // want `the loop grows b`
	}
	return b.String()
}

func parts(lines [][]byte) string {
	var b bytes.Buffer
	for _, line := range lines {
		b.Write(line) // want `the loop grows b`
		b.WriteRune('→')
	}
	return b.String()
}

func nested(rows [][]string) string {
	var b strings.Builder
	for _, row := range rows {
		for _, cell := range row {
			b.WriteString(cell) // want `the loop grows b`
		}
	}
	return b.String()
}

func indentation(depth int) string {
	var b strings.Builder
	for i := 0; i < depth; i++ {
		b.WriteString("  ") // want `the loop grows b`
	}
	return b.String()
}

// Not reported from here on.

func nilBytes(lines [][]byte) []byte {
	var b bytes.Buffer
	for _, line := range lines {
		b.Write(line)
	}
	return b.Bytes()
}

func grown(names []string) string {
	var b strings.Builder
	b.Grow(100)
	for _, name := range names {
		b.WriteString(name)
	}
	return b.String()
}

func printed(users []user) string {
	var b strings.Builder
	for _, u := range users {
		fmt.Fprintf(&b, "%d", u.age)
	}
	return b.String()
}

func call(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(strings.ToUpper(name))
	}
	return b.String()
}

func changed(users []*user, see func(*user)) string {
	var b strings.Builder
	for _, u := range users {
		see(u)
		b.WriteString(u.name)
	}
	return b.String()
}

func parameter(b *strings.Builder, names []string) {
	for _, name := range names {
		b.WriteString(name)
	}
}

func captured(names []string) func() string {
	var b strings.Builder
	f := func() string { return b.String() }
	for _, name := range names {
		b.WriteString(name)
	}
	return f
}

func breaks(names []string) string {
	var b strings.Builder
	for _, name := range names {
		if name == "" {
			break
		}
		b.WriteString(name)
	}
	return b.String()
}
