package a

type text string

func plain(names []string) string {
	s := ""
	for _, name := range names {
		s += name // want `each iteration copies the string s`
	}
	return s
}

func sum(names []string) string {
	var s string
	for _, name := range names {
		s = s + name + ", " // want `copies the string s`
	}
	return s
}

func parenthesized(names []string) string {
	var s string
	for _, name := range names {
		s = (s + name) + ", " // want `copies the string s`
	}
	return s
}

func separator(names []string) string {
	s := ""
	for i, name := range names {
		if i > 0 {
			s += ", " // want `copies the string s`
		}
		s += name
	}
	return s
}

func named(names []text) text {
	var s text
	for _, name := range names {
		s += name // want `copies the string s`
	}
	return s
}

func nested(rows [][]string) string {
	s := ""
	for _, row := range rows {
		for range 3 {
			s += row[0] // want `copies the string s`
		}
	}
	return s
}

func innermost(rows [][]string, use func(string)) {
	for _, row := range rows {
		s := ""
		for _, cell := range row {
			s += cell // want `copies the string s`
		}
		use(s)
	}
}

func counted(n int) string {
	s := ""
	for i := 0; i < n; i++ {
		s += "-" // want `copies the string s`
	}
	return s
}

func condition(width int, s string) string {
	for len(s) < width {
		s += " " // want `copies the string s`
	}
	return s
}

func endless(next func() (string, bool)) string {
	s := ""
	for {
		part, ok := next()
		if !ok {
			return s
		}
		s += part // want `copies the string s`
	}
}

func constant() string {
	s := ""
	for range 1000 {
		s += "-" // want `copies the string s`
	}
	return s
}

func channel(parts chan string) string {
	s := ""
	for part := range parts {
		s += part // want `copies the string s`
	}
	return s
}

func switched(parts []string) string {
	s := ""
	for _, part := range parts {
		switch part {
		case "":
			s += "-" // want `copies the string s`
		default:
			s += part // of the same loop
		}
	}
	return s
}

func breaksLater(parts []string) string {
	s := ""
	for _, part := range parts {
		s += part // want `copies the string s`
		if part == "" {
			break
		}
	}
	return s
}

func generic[T interface{ String() string }](all []T) string {
	s := ""
	for _, v := range all {
		s += v.String() // want `copies the string s`
	}
	return s
}

type list struct{ names []string }

func (l *list) method() string {
	s := ""
	for _, name := range l.names {
		s += name // want `copies the string s`
	}
	return s
}

func closure(names []string) func() string {
	return func() string {
		s := ""
		for _, name := range names {
			s += name // want `copies the string s`
		}
		return s
	}
}

func deferred(names []string, use func(string)) {
	defer func() {
		s := ""
		for _, name := range names {
			s += name // want `copies the string s`
		}
		use(s)
	}()
}

func parameter(s string, names []string) string {
	for _, name := range names {
		s += name // want `copies the string s`
	}
	return s
}

func runes(in string) string {
	out := ""
	for _, r := range in {
		out += string(r) // want `copies the string out`
	}
	return out
}

func iterator(seq func(func(string) bool)) string {
	out := ""
	for s := range seq {
		out += s // want `copies the string out`
	}
	return out
}
