package mode

import (
	"fmt"
	"strings"
)

// UnknownError reports a setting that no kind and no toolchain knows.
type UnknownError struct {
	Name      string   // as written, without the value
	Value     string   // with its "="; empty for a word
	Toolchain string   // that was asked for it; "" if none was
	Known     []string // names that could have been meant
}

func (e *UnknownError) Error() string {
	msg, list := fmt.Sprintf("unknown setting %q", e.Name+e.Value), "heapwright modes"
	if e.Toolchain != "" {
		msg += " on " + e.Toolchain
		list += " -go " + e.Toolchain
	}
	if near := nearest(e.Name, e.Known); near != "" {
		return fmt.Sprintf("%s: did you mean %q? %q lists what there is", msg, near+e.Value, list)
	}
	return fmt.Sprintf(`%s: %q lists what there is; a value with a comma or a plus stands in quotes, FOO="a,b"`, msg, list)
}

// unknownSetting is the error for a token that no kind claims.
func unknownSetting(t token) *UnknownError {
	e := &UnknownError{Name: t.name}
	if t.valued {
		e.Value = "=" + quoteValue(t.value)
	} else {
		e.Known = append(e.Known, Default)
	}
	for _, k := range kinds {
		for _, key := range k.Keys {
			if name, valued := strings.CutSuffix(key, "="); valued || !t.valued {
				e.Known = append(e.Known, name)
			}
		}
	}
	return e
}

// nearest returns the candidate most like the text, case aside, or "" if none
// is like it: more than a third of its letters would have to change, and
// neither begins with the other.
func nearest(text string, candidates []string) string {
	text = strings.ToLower(text)
	best, least := "", max(1, len(text)/3)+1
	for _, c := range candidates {
		low := strings.ToLower(c)
		d := distance(text, low)
		if min(len(text), len(low)) >= 3 && (strings.HasPrefix(text, low) || strings.HasPrefix(low, text)) {
			d = min(d, 1)
		}
		if d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			substitute := diagonal
			if a[i] != b[j] {
				substitute++
			}
			diagonal = row[j+1]
			row[j+1] = min(substitute, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
