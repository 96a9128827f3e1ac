package mode

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/suggest"
)

// The file of named modes:
//
//	baseline = "plain"              # optional: the mode that stands first
//
//	[[mode]]
//	name = "plain"                  # no settings: the default
//
//	[[mode]]
//	name = "lean"
//	settings = "GOGC=50+GOMEMLIMIT=256MiB"
//
//	[[mode]]
//	name = "tuned"
//	settings = ["GOGC=400", "tags=foo,bar", "flags=-ldflags=-s"]
//
// Settings are the parts between the pluses of -modes, either in one string
// or one for each; in a list a value is taken as it is, without quotes. A new
// kind of setting is thus no change of the file's format.
type file struct {
	Baseline string      `toml:"baseline"`
	Modes    []namedMode `toml:"mode"`
}

type namedMode struct {
	Name     string `toml:"name"`
	Settings any    `toml:"settings"` // a string or a list of strings
}

// maxModes bounds the file, in bytes.
const maxModes = 1 << 20

// Load reads named modes from a TOML file and returns them, the baseline
// first. Keys that it does not know are errors.
func Load(ctx context.Context, name string) ([]Mode, error) {
	data, err := input.ReadFile(ctx, name, maxModes)
	if err != nil {
		return nil, fmt.Errorf("read the modes: %w", err)
	}
	modes, err := readModes(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", name, err)
	}
	return modes, nil
}

// readModes reads the text of a file. Its errors begin with the line, where it
// is known, as they are to stand behind the file's name.
func readModes(text string) ([]Mode, error) {
	var f file
	meta, err := toml.Decode(text, &f)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%d: %s", syntax.Position.Line, syntax.Message)
	case err != nil:
		return nil, errors.New(" " + strings.TrimPrefix(err.Error(), "toml: "))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, unknownKey(text, unknown[0])
	}
	var modes []Mode
	for i, n := range f.Modes {
		m, err := n.mode()
		if err != nil {
			return nil, fmt.Errorf("%d: mode %d, %q: %w", lineOf(text, "mode", i), i+1, n.Name, err)
		}
		modes = append(modes, m)
	}
	if err := distinct(modes); err != nil {
		return nil, fmt.Errorf(" %w", err)
	}
	if len(modes) == 0 {
		return nil, errors.New(" it holds no mode: begin one with [[mode]] and give it a name and settings")
	}
	if f.Baseline == "" {
		return modes, nil
	}
	at := slices.IndexFunc(modes, func(m Mode) bool { return m.Name == f.Baseline })
	if at < 0 {
		return nil, fmt.Errorf("%d: baseline %q is not the name of a mode in this file",
			lineOf(text, "baseline", 0), f.Baseline)
	}
	baseline := modes[at]
	return append([]Mode{baseline}, slices.Delete(modes, at, at+1)...), nil
}

func (n namedMode) mode() (Mode, error) {
	if err := checkName(n.Name); err != nil {
		return Mode{}, err
	}
	tokens, err := n.tokens()
	if err != nil {
		return Mode{}, err
	}
	if len(tokens) == 0 {
		return Mode{Name: n.Name}, nil
	}
	m, err := newMode(tokens)
	if err != nil {
		return Mode{}, err
	}
	if n.Name == Default && len(m.Settings) > 0 {
		return Mode{}, fmt.Errorf("%q is the name of the mode that sets nothing", Default)
	}
	m.Name = n.Name
	return m, nil
}

func (n namedMode) tokens() ([]token, error) {
	switch v := n.Settings.(type) {
	case nil:
		return nil, nil
	case string:
		scanned, err := scanModes(v, true)
		if err != nil {
			return nil, err
		}
		return scanned[0], nil
	case []any:
		var tokens []token
		for _, item := range v {
			text, ok := item.(string)
			if !ok {
				return nil, fmt.Errorf("settings holds %v: each setting is a string, as in \"GOGC=400\"", item)
			}
			t, err := newToken(text)
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, t)
		}
		return tokens, nil
	default:
		return nil, fmt.Errorf("settings is %v: write a string or a list of strings, as in \"GOGC=400\"", v)
	}
}

// checkName keeps names apart from settings, so that no report can mislead, and free
// of characters that have a meaning in lists and in results.txt.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("it has no name: add name = \"…\"")
	case strings.ContainsAny(name, "+,=#\"'\\/") || strings.TrimSpace(name) != name:
		return errors.New("a name holds no + , = # / \\ or quotes, and no space at its ends")
	}
	t, err := newToken(name)
	if err != nil {
		return err
	}
	if s, err := newSetting(t); err == nil {
		if _, word := s.(experiment); !word { // any plain word could be one
			return errors.New("this is a setting; choose another name")
		}
	}
	return nil
}

// unknownKey words the error for a key that the file must not have.
func unknownKey(text string, key toml.Key) error {
	last := key[len(key)-1]
	known := []string{"baseline", "mode"}
	if len(key) > 1 {
		known = []string{"name", "settings"}
	}
	hint := "known are " + strings.Join(known, " and ")
	if near := suggest.Nearest(last, known); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return fmt.Errorf("%d: unknown key %q: %s", lineOf(text, last, 0), key.String(), hint)
}

// lineOf returns the number, from 1, of the n-th line that begins with a key or is its
// table's header. The decoder does not report the place of a key that it did not use, so
// this is a search. If a key is written in another way, it returns 1.
func lineOf(text, key string, n int) int {
	begins := regexp.MustCompile(`^[\[\s]*"?` + regexp.QuoteMeta(key) + `"?\s*[\].=]`)
	number := 0
	for line := range strings.Lines(text) {
		number++
		if begins.MatchString(line) {
			if n--; n < 0 {
				return number
			}
		}
	}
	return 1
}
