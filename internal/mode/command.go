package mode

import (
	"regexp"
	"strings"
)

// CommandLine returns a command as a user can paste it into a POSIX shell:
// variables as of BuildSettings, the program, its arguments. A variable without
// "=" is unset, which takes env -u: every system has it, though POSIX does not.
func CommandLine(env []string, name string, args ...string) string {
	var words []string
	for _, entry := range env {
		if !strings.Contains(entry, "=") {
			words = append(words, "-u", entry)
		}
	}
	if len(words) > 0 {
		words = append([]string{"env"}, words...)
	}
	for _, entry := range env {
		name, value, set := strings.Cut(entry, "=")
		if !set {
			continue
		}
		if value != "" {
			value = shellQuote(value)
		}
		words = append(words, name+"="+value)
	}
	words = append(words, shellQuote(name))
	for _, arg := range args {
		words = append(words, shellQuote(arg))
	}
	return strings.Join(words, " ")
}

var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

func shellQuote(s string) string {
	if plainWord.MatchString(s) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
