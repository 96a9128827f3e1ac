package clean

import "strings"

func number(all []int) int {
	sum := 0
	for _, n := range all {
		sum += n
	}
	return sum
}

func fresh(names []string, use func(string)) {
	for _, name := range names {
		line := "- "
		line += name
		use(line)
	}
}

func restarts(names []string, use func(string)) {
	line := ""
	for _, name := range names {
		if name == "" {
			use(line)
			line = ""
		}
		line += name
	}
}

func once(names []string) string {
	s := "names"
	for _, name := range names {
		if name == "" {
			s += " (one is empty)"
			break
		}
	}
	return s
}

func returns(names []string) string {
	s := "names"
	for _, name := range names {
		if name == "" {
			s += " (one is empty)"
			return s
		}
	}
	return s
}

func few() string {
	s := ""
	for range 8 {
		s += "-"
	}
	return s
}

func outside(a, b string) string {
	a += b
	return a
}

func builder(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(name)
	}
	return b.String()
}

func element(names []string) {
	for i := range names {
		names[i] += "!"
	}
}

func other(a, b string) (s string) {
	for range b {
		s = a + b
	}
	return s
}
