package clean

func continues(m map[string]int) map[string]int {
	out := make(map[string]int)
	for k, v := range m {
		if v == 0 {
			continue
		}
		out[k] = v
	}
	return out
}

func conditional(m map[string]int) map[string]int {
	out := make(map[string]int)
	for k, v := range m {
		if v != 0 {
			out[k] = v
		}
	}
	return out
}

func returns(m map[string]int) map[string]int {
	out := make(map[string]int)
	for k, v := range m {
		if v == 0 {
			return nil
		}
		out[k] = v
	}
	return out
}

func sized(m map[string]int) map[string]int {
	out := make(map[string]int, len(m))
	for k, v := range m {
		out[k] = v
	}
	return out
}

func few() map[int]bool {
	out := make(map[int]bool)
	for i := range 8 {
		out[i] = true
	}
	return out
}

func deleted(m map[string]int) map[string]int {
	out := make(map[string]int)
	for k, v := range m {
		out[k] = v
		delete(out, "")
	}
	return out
}

func runes(s string) map[int]rune {
	out := make(map[int]rune)
	for i, r := range s {
		out[i] = r
	}
	return out
}
