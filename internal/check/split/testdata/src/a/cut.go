package a

import (
	"errors"
	"strings"
)

func setting(line string, set func(k, v string)) error {
	parts := strings.SplitN(line, "=", 2) // want `the slice of parts is only read: strings.Cut needs none`
	if len(parts) != 2 {
		return errors.New("no value")
	}
	set(parts[0], strings.TrimSpace(parts[1]))
	return nil
}

func settings(lines []string, set map[string]string) {
	for _, line := range lines {
		kv := strings.SplitN(line, ":", 2) // want `strings.Cut needs none`
		if len(kv) < 2 || kv[1] == "" {
			continue
		}
		set[kv[0]] = kv[1]
	}
}

func optional(line string) (string, string) {
	value := "default"
	parts := strings.SplitN(line, "=", 2) // want `strings.Cut needs none`
	if len(parts) == 2 {
		value = parts[1]
	}
	return parts[0], value
}

func inHead(line string) string {
	if parts := strings.SplitN(line, "=", 2); len(parts) > 1 && parts[1] != "" { // want `strings.Cut needs none`
		return parts[1]
	} else if len(parts) == 1 {
		return "none"
	}
	return ""
}

func otherwise(line string) string {
	parts := strings.SplitN(line, "=", 2) // want `strings.Cut needs none`
	if len(parts) == 1 {
		return "none"
	} else {
		return parts[1]
	}
}

func first(line string) string {
	host := strings.Split(line, ":")[0] // want `strings.Cut needs none`
	return host
}

func firstOfTwo(line string) string {
	host := strings.SplitN(line, ":", 2)[0] // want `strings.Cut needs none`
	return host
}

func onlyFirst(line string) string {
	parts := strings.SplitN(line, ":", 2) // want `strings.Cut needs none`
	return parts[0]
}

// Without a fix: the names are taken.
func takenNames(line, before, head string) string {
	parts := strings.SplitN(line, ":", 2) // want `strings.Cut needs none`
	return parts[0]
}

// Not reported from here on.

// It panics without a second part.
func unproven(line string) string {
	parts := strings.SplitN(line, "=", 2)
	return parts[1]
}

func otherTest(line string) string {
	parts := strings.SplitN(line, "=", 2)
	if len(parts) != 2 && line != "" {
		return ""
	}
	return parts[1]
}

func goesOn(line string) string {
	parts := strings.SplitN(line, "=", 2)
	if len(parts) != 2 {
		println("no value")
	}
	return parts[1]
}

func separator(line, sep string) string {
	parts := strings.SplitN(line, sep, 2)
	return parts[0]
}

func letters(line string) string {
	parts := strings.SplitN(line, "", 2)
	return parts[0]
}

func three(line string) string {
	parts := strings.SplitN(line, "=", 3)
	return parts[0]
}

func assigned(line string) string {
	parts := strings.SplitN(line, "=", 2)
	parts[0] = strings.TrimSpace(parts[0])
	return parts[0]
}

func returned(line string) []string {
	parts := strings.SplitN(line, "=", 2)
	println(parts[0])
	return parts
}

func captured(line string) func() string {
	parts := strings.SplitN(line, "=", 2)
	return func() string { return parts[0] }
}

func second(line string) string {
	port := strings.Split(line, ":")[1]
	return port
}

// The variable is there already.
func firstOf(line string, set map[string]string) (host string) {
	host = line
	host = strings.SplitN(host, ":", 2)[0]  // want `strings.Cut needs none`
	set[line] = strings.Split(line, ",")[0] // want `strings.Cut needs none`
	host += strings.Split(line, ",")[0]
	host = strings.Split(line, ",")[1]
	host = strings.SplitN(line, ",", 1)[0]
	return host
}
