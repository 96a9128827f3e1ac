package a

import (
	"errors"
	"strings"
)

func token(input string) (string, error) {
	parts := strings.Split(input, ".") // want `the slice of parts is only read: strings.Cut needs none`
	if len(parts) != 3 {
		return "", errors.New("a token has three parts")
	}
	return parts[0] + parts[1] + parts[2], nil
}

func pair(line string) string {
	if line != "" {
		kv := strings.Split(line, ", ") // want `strings.Cut needs none`
		if len(kv) == 2 && kv[1] != "" {
			return kv[0]
		}
	}
	return ""
}

func lastOfFour(line string) string {
	parts := strings.Split(line, "/") // want `strings.Cut needs none`
	if line == "" || len(parts) != 4 {
		return ""
	}
	return parts[3]
}

// Without a fix: a statement of its own would not fit here.
func inHeadOfAll(line string) string {
	if parts := strings.Split(line, "="); len(parts) == 2 { // want `strings.Cut needs none`
		return parts[1]
	}
	return ""
}

// Not reported from here on.

// It panics without a second part.
func unprovenOfAll(line string) string {
	parts := strings.Split(line, "=")
	if len(parts) == 2 {
		println(parts[0])
	}
	return parts[1]
}

// More parts than that are fine, too.
func atLeast(line string) string {
	parts := strings.Split(line, "=")
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}

func severalNumbers(line string) string {
	parts := strings.Split(line, "=")
	if len(parts) != 2 && len(parts) != 3 {
		return ""
	}
	return parts[1]
}

func many(line string) string {
	parts := strings.Split(line, "=")
	if len(parts) != 5 {
		return ""
	}
	return parts[4]
}

func returnedOfAll(line string) ([]string, string) {
	parts := strings.Split(line, "=")
	if len(parts) != 2 {
		return parts, ""
	}
	return nil, parts[1]
}

func separatorOfAll(line, sep string) string {
	parts := strings.Split(line, sep)
	if len(parts) != 2 {
		return ""
	}
	return parts[1]
}
