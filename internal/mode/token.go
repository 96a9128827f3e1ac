package mode

import (
	"fmt"
	"strings"
	"unicode"
)

// token is one setting as text, before a kind has claimed it. "GOGC=400" has
// the name GOGC and the value 400; "arenas" has only a name.
type token struct {
	name, value string
	valued      bool // there was a "="
}

func (t token) String() string {
	if !t.valued {
		return t.name
	}
	return t.name + "=" + quoteValue(t.value)
}

// newToken takes a setting that stands alone: its value is taken as it is,
// without quotes.
func newToken(text string) (token, error) {
	name, value, valued := strings.Cut(text, "=")
	t := token{strings.TrimSpace(name), value, valued}
	if t.name == "" {
		return t, fmt.Errorf("empty setting in %q: write one as in %q", text, "GOGC=400")
	}
	return t, t.check()
}

// check refuses a token that could not be written back or would break the line-based
// files that a mode's name stands in.
func (t token) check() error {
	if strings.ContainsFunc(t.name+t.value, unicode.IsControl) {
		return fmt.Errorf("setting %q holds a control character", t.name)
	}
	if strings.Contains(t.value, `"`) && strings.Contains(t.value, "'") {
		return fmt.Errorf("the value of %s holds both kinds of quotes; it can hold one", t.name)
	}
	return nil
}

// quoteValue returns the value as it is written in a list of modes.
func quoteValue(v string) string {
	if !strings.ContainsAny(v, `,+"'`) && strings.TrimSpace(v) == v {
		return v
	}
	if strings.Contains(v, `"`) {
		return "'" + v + "'"
	}
	return `"` + v + `"`
}

// scanModes splits a list of modes at its commas and each mode at its pluses:
// the outer slice is modes, the inner one their settings. Only a value in
// quotes, which begin right behind the "=", can hold a comma or a plus. If
// single is true, the text is one mode and commas have no meaning.
func scanModes(text string, single bool) ([][]token, error) {
	var modes [][]token
	var mode []token
	for rest := text; ; {
		t, after, err := scanToken(rest, single)
		if err != nil {
			return nil, err
		}
		if t.name == "" {
			return nil, fmt.Errorf(
				"empty setting in %q: remove the extra separator, or write %q for the mode that sets nothing",
				text, Default)
		}
		mode = append(mode, t)
		if after == "" || after[0] == ',' {
			modes, mode = append(modes, mode), nil
		}
		if after == "" {
			return modes, nil
		}
		rest = after[1:]
	}
}

// scanToken reads one setting. The rest is empty or begins with the separator.
func scanToken(text string, single bool) (t token, rest string, err error) {
	separators := ",+"
	if single {
		separators = "+"
	}
	end := strings.IndexAny(text, separators+"=")
	if end < 0 || text[end] != '=' {
		if end < 0 {
			end = len(text)
		}
		t = token{name: strings.TrimSpace(text[:end])}
		return t, text[end:], t.check()
	}
	t = token{name: strings.TrimSpace(text[:end]), valued: true}
	if t.name == "" {
		return t, "", fmt.Errorf("a setting begins with %q: its name is missing", "=")
	}
	rest = text[end+1:]
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		value, after, ok := strings.Cut(rest[1:], rest[:1])
		after = strings.TrimLeft(after, " ")
		if !ok || after != "" && !strings.Contains(separators, after[:1]) {
			return t, "", fmt.Errorf("the quotes of %s=%s do not close at the end of the value", t.name, rest)
		}
		t.value = value
		return t, after, t.check()
	}
	end = strings.IndexAny(rest, separators)
	if end < 0 {
		end = len(rest)
	}
	t.value = strings.TrimSpace(rest[:end])
	return t, rest[end:], t.check()
}
