package counted

import (
	"fmt"
	"strings"
)

func fields(line string) (all []string) {
	var b strings.Builder
	b.Grow(len(line))
	for _, c := range line {
		if c == ',' && b.Len() > 0 {
			all = append(all, b.String())
			b.Reset()
			continue
		}
		b.WriteRune(c) // want `each Reset drops the memory of the strings.Builder: a bytes.Buffer keeps it`
	}
	return append(all, b.String())
}

func labels(names []string, each func(string)) {
	b := strings.Builder{}
	add := func(name string) { b.WriteString(name) } // want `a bytes.Buffer keeps it`
	for i := 0; i < len(names); i++ {
		b.Reset()
		add(names[i])
		b.WriteByte('=')
		fmt.Fprintf(&b, "%d", i)
		each(b.String())
	}
}

// Without a fix: another variable has the name of the package.
func shadowed(lines []string, bytes func(string)) {
	var b strings.Builder
	for _, line := range lines {
		b.Reset()
		fmt.Fprint(&b, line) // want `a bytes.Buffer keeps it`
		bytes(b.String())
	}
}
