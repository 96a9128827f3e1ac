package a

func returned(m map[string]int) func() map[string]bool {
	return func() map[string]bool {
		out := make(map[string]bool)
		for k := range m {
			out[k] = true // want `grows the map out`
		}
		return out
	}
}

func ofAny[K comparable, V any](m map[K]V) map[K]V {
	out := make(map[K]V)
	for k, v := range m {
		out[k] = v // want `grows the map out`
	}
	return out
}

type register struct{ names map[string]int }

func (x *register) copied() map[string]int {
	out := map[string]int{}
	for name, n := range x.names {
		out[name] = n // want `grows the map out`
	}
	return out
}

func inGoroutine(m map[int]int, done chan map[int]int) {
	go func() {
		out := make(map[int]int)
		for k, v := range m {
			out[k] = v // want `grows the map out`
		}
		done <- out
	}()
}
