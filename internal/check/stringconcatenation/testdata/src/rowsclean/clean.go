package rowsclean

func once(a, b string) string {
	s := a
	s += b
	return s
}

func between(a, b string, use func(string)) string {
	s := a + b
	use(s)
	s += b
	return s
}

func branches(a, b string, long bool) string {
	s := a + b
	if long {
		s += a
	}
	s += b
	return s
}

func twice(a, b string) string {
	s := a + b
	s += s
	return s
}

func others(a, b string) string {
	s := a + b
	t := b + a
	return s + t
}

func numbers(a, b int) int {
	s := a + b
	s += a
	s += b
	return s
}
