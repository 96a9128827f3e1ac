package a

type set map[string]bool

func copied(m map[string]int) map[string]int {
	out := make(map[string]int)
	for k, v := range m {
		out[k] = v // want `grows the map out`
	}
	return out
}

func literal(m map[string]int) map[string]bool {
	out := map[string]bool{}
	for k := range m {
		out[k] = true // want `grows the map out`
	}
	return out
}

func namedType(m map[string]int) set {
	var out = set{}
	for k := range m {
		out[k] = true // want `grows the map out`
	}
	return out
}

func slice(names []string) map[int]string {
	out := make(map[int]string)
	for i, name := range names {
		out[i] = name // want `grows the map out`
	}
	return out
}

func array(names *[16]string) map[int]string {
	out := make(map[int]string)
	for i, name := range names {
		out[i] = name // want `grows the map out`
	}
	return out
}

func integer(n int) map[int]bool {
	out := make(map[int]bool)
	for i := range n {
		out[i] = true // want `grows the map out`
	}
	return out
}

func counted(names []string) map[int]string {
	out := make(map[int]string)
	for i := 0; i < len(names); i++ {
		out[i] = names[i] // want `grows the map out`
	}
	return out
}

func constant() map[int]bool {
	out := make(map[int]bool)
	for i := range 1000 {
		out[i] = true // want `grows the map out`
	}
	return out
}

func generic[K comparable, V any](m map[K]V) map[K]bool {
	out := make(map[K]bool)
	for k := range m {
		out[k] = true // want `grows the map out`
	}
	return out
}

type index struct{ names map[string]int }

func (x *index) method() map[string]int {
	out := make(map[string]int)
	for k, v := range x.names {
		if v < 0 {
			v = 0
		}
		out[k] = v // want `grows the map out`
	}
	return out
}

func closure(m map[string]int) func() map[string]int {
	return func() map[string]int {
		out := make(map[string]int)
		for k, v := range m {
			out[k] = v // want `grows the map out`
		}
		return out
	}
}

func deferred(m map[string]int, use func(map[string]int)) {
	defer func() {
		out := make(map[string]int)
		for k, v := range m {
			out[k] = v // want `grows the map out`
		}
		use(out)
	}()
}

func branch(m map[string]int, deep bool) map[string]int {
	if deep {
		out := make(map[string]int)
		for k, v := range m {
			out[k] = v // want `grows the map out`
		}
		return out
	}
	return m
}

func nested(rows []map[string]int, use func(map[string]int)) {
	for _, row := range rows {
		out := make(map[string]int)
		for k, v := range row {
			out[k] = v // want `grows the map out`
		}
		use(out)
	}
}

// Another call may return another map, so the fix keeps it.
func call(load func() map[string]int) map[string]int {
	out := make(map[string]int)
	for k, v := range load() {
		out[k] = v // want `grows the map out`
	}
	return out
}

// The call stays behind the statements before the loop.
func callApart(load func() map[string]int, use func()) map[string]int {
	out := make(map[string]int)
	use()
	for k, v := range load() {
		out[k] = v // want `grows the map out`
	}
	return out
}

// Without a fix: make and the loop are apart.
func apart(m map[string]int, f func()) map[string]int {
	out := make(map[string]int)
	f()
	for k, v := range m {
		out[k] = v // want `grows the map out`
	}
	return out
}

func shadowed(m map[string]int, len int) (map[string]int, int) {
	out := make(map[string]int)
	for k, v := range m {
		out[k] = v // want `grows the map out`
	}
	return out, len
}
