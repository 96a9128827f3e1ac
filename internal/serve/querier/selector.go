package querier

import (
	"regexp"
	"strconv"
	"strings"
)

// matcher is a condition on a label. A label that is not there is "".
type matcher struct {
	name  string
	value string
	regex *regexp.Regexp // nil compares
	not   bool
}

func (m *matcher) matches(value string) bool {
	if m.regex != nil {
		return m.regex.MatchString(value) != m.not
	}
	return (value == m.value) != m.not
}

// selector is a list of conditions that all hold.
type selector []matcher

func (s selector) matches(label func(name string) string) bool {
	for i := range s {
		if !s[i].matches(label(s[i].name)) {
			return false
		}
	}
	return true
}

// mostSelector bounds the text of a selector, in bytes.
const mostSelector = 16 << 10

// parseSelector reads a selector in the syntax of Prometheus: {name="value", "app.io/name"=~"a|b"}.
// Text before the brace is returned as the name, "" if there is none.
func parseSelector(text string) (name string, s selector, err error) {
	if len(text) > mostSelector {
		return "", nil, bad("a selector of more than %d bytes", mostSelector)
	}
	name, rest, ok := strings.Cut(text, "{")
	name = strings.TrimSpace(name)
	if !ok {
		return name, nil, nil
	}
	wrong := bad("selector %.100q: write it as {name=\"value\"}", text)
	for {
		rest = strings.TrimSpace(rest)
		if strings.TrimSpace(strings.TrimPrefix(rest, "}")) == "" && rest != "" {
			return name, s, nil
		}
		var m matcher
		if m.name, rest, ok = cutName(rest); !ok {
			return "", nil, wrong
		}
		var isRegex bool
		for _, op := range []struct {
			text       string
			regex, not bool
		}{{"=~", true, false}, {"!~", true, true}, {"!=", false, true}, {"=", false, false}} {
			if after, ok := strings.CutPrefix(rest, op.text); ok {
				rest, isRegex, m.not = strings.TrimSpace(after), op.regex, op.not
				break
			}
		}
		quoted, err := strconv.QuotedPrefix(rest)
		if err != nil {
			return "", nil, wrong
		}
		rest = strings.TrimSpace(rest[len(quoted):])
		if m.value, err = strconv.Unquote(quoted); err != nil {
			return "", nil, wrong
		}
		if isRegex {
			if m.regex, err = regexp.Compile("^(?s:" + m.value + ")$"); err != nil {
				return "", nil, bad("selector %.100q: %w", text, err)
			}
		}
		s = append(s, m)
		if after, ok := strings.CutPrefix(rest, ","); ok {
			rest = after
		} else if !strings.HasPrefix(rest, "}") {
			return "", nil, wrong
		}
	}
}

// cutName reads the name before an operator, which is in quotes if it has unusual characters.
func cutName(text string) (name, rest string, ok bool) {
	if quoted, err := strconv.QuotedPrefix(text); err == nil {
		name, err = strconv.Unquote(quoted)
		return name, strings.TrimSpace(text[len(quoted):]), err == nil && name != ""
	}
	end := strings.IndexAny(text, "=!")
	if end < 1 {
		return "", text, false
	}
	return strings.TrimSpace(text[:end]), text[end:], true
}

// parseSelectors reads several selectors, one of which must match.
func parseSelectors(texts []string) (all []selector, err error) {
	for _, text := range texts {
		_, s, err := parseSelector(text)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func anyMatches(all []selector, label func(string) string) bool {
	for _, s := range all {
		if s.matches(label) {
			return true
		}
	}
	return len(all) == 0
}
