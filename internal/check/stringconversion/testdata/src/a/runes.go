package a

func initials(name string) string {
	runes := []rune(name) // want `the conversion copies each rune: range over the string`
	for i, r := range runes {
		if r == ' ' && i+1 < len(runes) {
			return name[:1] + "."
		}
	}
	return ""
}

func sum(name string) (n int) {
	runes := []rune(name) // want `the conversion copies`
	for _, r := range runes {
		n += int(r)
	}
	return n
}

func length(name string) bool {
	runes := []rune(name) // want `the conversion copies`
	return len(runes) > 7
}

// Without a fix: the index is used already.
func taken(name string, i int) (n int) {
	runes := []rune(name) // want `the conversion copies`
	for i, r := range runes {
		n += i * int(r)
	}
	return n + i
}

// Without a fix: the function changes the index.
func written(name string) (n int) {
	runes := []rune(name) // want `the conversion copies`
	for i, r := range runes {
		i++
		n += i * int(r)
	}
	return n
}

// Without a fix: the function keeps the index.
func kept(name string) (all []*int) {
	runes := []rune(name) // want `the conversion copies`
	for i, r := range runes {
		if r == ' ' {
			all = append(all, &i)
		}
	}
	return all
}

// Not reported from here on.

func elements(name string) rune {
	runes := []rune(name)
	return runes[0] + rune(len(runes))
}

func assigned(name string) (n int) {
	runes := []rune(name)
	name = ""
	for _, r := range runes {
		n += int(r)
	}
	return n
}

func changed(name string) (n int) {
	runes := []rune(name)
	runes[0] = 'x'
	for _, r := range runes {
		n += int(r)
	}
	return n
}
