package cli

import (
	"flag"
	"fmt"
	"strings"
	"unicode"
)

// loadSpec is the value of -load: KEY=VALUE pairs, separated by commas or
// spaces. Given several times, later pairs replace earlier ones.
type loadSpec struct{ keys *flag.FlagSet }

func (s loadSpec) String() string { return "" }

func (s loadSpec) Set(spec string) error {
	pairs, err := split(spec)
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		key, value, ok := strings.Cut(pair, "=")
		switch {
		case s.keys.Lookup(key) == nil:
			return fmt.Errorf("no key %q; the keys are %s", key, strings.Join(flagNames(s.keys), ", "))
		case !ok:
			return fmt.Errorf("%s has no value; write %s=VALUE", key, key)
		}
		if err := s.keys.Set(key, value); err != nil {
			return fmt.Errorf("%s=%s: %w", key, value, err)
		}
	}
	return nil
}

// split divides a spec at commas and spaces. Quotes of both kinds hold a value
// together that has one of them.
func split(spec string) ([]string, error) {
	var all []string
	var word strings.Builder
	quote, inWord := rune(0), false
	for _, c := range spec + "," {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case c == ',' || unicode.IsSpace(c):
			if inWord {
				all = append(all, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quote is not closed")
	}
	return all, nil
}

// flagNames returns the names of all flags but hidden ones, sorted.
func flagNames(fs *flag.FlagSet) []string {
	var names []string
	fs.VisitAll(func(f *flag.Flag) {
		if f.Usage != "" {
			names = append(names, f.Name)
		}
	})
	return names
}
