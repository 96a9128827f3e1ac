package held

import "fmt"

type row map[string]any

func text(v any) (string, error) {
	if v == nil {
		return "", nil
	}
	return fmt.Sprintf("%v", v), nil // want `fmt copies a string`
}

func field(r row, name string) int {
	value := r[name]
	word := fmt.Sprint(value) // want `fmt copies a string`
	return len(word)
}

func list(all []any) (out []string) {
	for _, v := range all {
		s := fmt.Sprintf("%s", v) // want `fmt copies a string`
		out = append(out, s)
	}
	return out
}

// Other verbs do not copy it as it is.
func quoted(v any) string { return fmt.Sprintf("%q", v) }

// A value with a method is no string.
func stringer(v fmt.Stringer) string { return fmt.Sprint(v) }

// The name ok is the value's.
func named(ok any) string {
	return fmt.Sprint(ok) // want `fmt copies a string`
}

// A second call may return another value.
func called(next func() any) string {
	return fmt.Sprint(next())
}

func both(v any, next func() string) (string, string) {
	return fmt.Sprint(v), next()
}
