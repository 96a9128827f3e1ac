package mode

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/suggest"
)

// UnknownError reports a setting that no kind and no toolchain knows.
type UnknownError struct {
	Name      string   // the user's text without the value
	Value     string   // "=" and the value; empty for a word
	Toolchain string   // the toolchain that was asked; "" if none was
	Known     []string // names that could have been meant
}

func (e *UnknownError) Error() string {
	msg, list := fmt.Sprintf("unknown setting %q", e.Name+e.Value), "heapwright modes"
	if e.Toolchain != "" {
		msg += " on " + e.Toolchain
		list += " -go " + e.Toolchain
	}
	if near := suggest.Nearest(e.Name, e.Known); near != "" {
		return fmt.Sprintf("%s: did you mean %q? %q lists what there is", msg, near+e.Value, list)
	}
	return fmt.Sprintf(`%s: %q lists what there is; a value with a comma or a plus stands in quotes, FOO="a,b"`,
		msg, list)
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
