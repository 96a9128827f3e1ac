package mode

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/sample"
)

// Parse reads a list of modes as given to -modes, "default,arenas+GOGC=400".
// Modes are separated by commas and their settings joined by "+"; a value that
// itself holds a comma or a plus stands in quotes, as in FOO="a,b". Names of
// experiments are not checked: which there are depends on the toolchain, so
// Resolve does it.
func Parse(list string) ([]Mode, error) {
	scanned, err := scanModes(list, false)
	if err != nil {
		return nil, err
	}
	var modes []Mode
	for _, tokens := range scanned {
		m, err := newMode(tokens)
		if err != nil {
			return nil, err
		}
		modes = append(modes, m)
	}
	return modes, distinct(modes)
}

// newMode returns the mode with the given settings, which also give it its name.
func newMode(tokens []token) (Mode, error) {
	if len(tokens) == 1 && tokens[0] == (token{name: Default}) {
		return Mode{Name: Default}, nil
	}
	var m Mode
	var names []string
	for _, t := range tokens {
		s, err := newSetting(t)
		if err != nil {
			return Mode{}, err
		}
		for _, other := range m.Settings {
			if s.Slot() == other.Slot() {
				return Mode{}, fmt.Errorf("%s and %s both decide %s: a mode can have one of them", other, s, s.Slot())
			}
		}
		m.Settings = append(m.Settings, s)
		names = append(names, s.String())
	}
	m.Name = strings.Join(names, "+")
	if strings.HasSuffix(m.Name, sample.ControlSuffix) {
		return Mode{}, fmt.Errorf("mode %q ends in %q, which marks the baseline's A/A control",
			m.Name, sample.ControlSuffix)
	}
	return m, nil
}

func newSetting(t token) (Setting, error) {
	if t.name == Default {
		return nil, fmt.Errorf("%q is the mode that sets nothing and stands alone", Default)
	}
	for _, k := range kinds {
		if k.Keys == nil && isKey(t) {
			continue // it is mistyped; a kind without keys would take it for its own
		}
		s, err := k.Parse(t)
		if s != nil || err != nil {
			return s, err
		}
	}
	for _, k := range kinds {
		for _, key := range k.Keys {
			if !t.valued && key == t.name+"=" {
				return nil, fmt.Errorf("%s needs a value, as in %s", t.name, k.Syntax)
			}
			if t.valued && key == t.name {
				return nil, fmt.Errorf("%s takes no value: write it alone", t.name)
			}
		}
	}
	return nil, unknownSetting(t)
}

// isKey reports whether a plain word is the key of a kind, as in "gogc".
func isKey(t token) bool {
	return !t.valued && slices.ContainsFunc(kinds, func(k Kind) bool {
		return slices.ContainsFunc(k.Keys, func(key string) bool {
			return key == t.name || strings.EqualFold(key, t.name+"=")
		})
	})
}

// distinct returns an error if two modes have the same name or the same settings.
func distinct(modes []Mode) error {
	byName := map[string]bool{}
	bySettings := map[string]string{}
	for _, m := range modes {
		if byName[m.Name] {
			return fmt.Errorf("mode %q is there twice: remove one", m.Name)
		}
		byName[m.Name] = true
		var set []string
		for _, s := range m.Settings {
			set = append(set, s.String())
		}
		slices.Sort(set)
		key := strings.Join(set, "+")
		if first, there := bySettings[key]; there {
			return fmt.Errorf("modes %q and %q set the same: remove one", first, m.Name)
		}
		bySettings[key] = m.Name
	}
	return nil
}
