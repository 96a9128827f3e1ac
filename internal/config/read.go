package config

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/suggest"
)

// A Setting is a key with its value in a file.
type Setting struct {
	Key
	Values []string // values for the flag: any number for a List, otherwise one
	Place  string   // FILE:LINE
}

// Value returns the value for the flag. Values of a list are separated by commas.
func (s Setting) Value() string { return strings.Join(s.Values, ",") }

// deep matches a long dotted key: the decoder takes memory with the square of its length.
var deep = regexp.MustCompile(`(?:[\w"'-]+[ \t]*\.[ \t]*){15}`)

// Read returns the settings of a file in the order of Keys. Its error names each unknown
// key and each value of a wrong type, with the line. If the file is a pipe, the end of the
// context ends the wait for it.
func Read(ctx context.Context, name string) ([]Setting, error) {
	data, err := input.ReadFile(ctx, name, 1<<20)
	if err != nil {
		return nil, err
	}
	text := string(data)
	if at := deep.FindStringIndex(text); at != nil {
		return nil, fmt.Errorf("%s:%d: a key of 16 parts or more; the longest that heapwright.toml has is of 3", name,
			1+strings.Count(text[:at[0]], "\n"))
	}
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		var syntax toml.ParseError
		if errors.As(err, &syntax) {
			return nil, fmt.Errorf("%s:%d: %s", name, syntax.Position.Line, syntax.Message)
		}
		return nil, fmt.Errorf("%s: %s", name, strings.TrimPrefix(err.Error(), "toml: "))
	}
	r := reader{file: name, lines: lines(text)}
	if err := r.version(tree["version"]); err != nil {
		return nil, err
	}
	delete(tree, "version")
	r.table("", tree)
	slices.SortStableFunc(r.wrong, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	var errs []error
	for _, m := range r.wrong {
		errs = append(errs, m.err)
	}
	slices.SortFunc(r.settings, func(a, b Setting) int { return cmp.Compare(position(a.Name), position(b.Name)) })
	return r.settings, errors.Join(errs...)
}

// A reader turns the tree of a TOML file into settings.
type reader struct {
	file     string
	lines    map[string]int // key or table → line
	settings []Setting
	wrong    []mistake
}

// A mistake is an error at a line, by which the messages are ordered.
type mistake struct {
	line int
	err  error
}

func (r *reader) version(v any) error {
	n, whole := v.(int64)
	switch {
	case v == nil:
		return nil
	case !whole || n < 1:
		return fmt.Errorf("%s: version is %v; this heapwright writes version = %d", r.place("version"), v, Version)
	case n > Version:
		return fmt.Errorf(
			"%s: version %d is newer than version %d, the newest that this heapwright reads; update heapwright",
			r.place("version"), n, Version)
	}
	return nil
}

// table reads the keys of a table. The format has no tables inside tables.
func (r *reader) table(prefix string, tree map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(tree)) {
		name := prefix + key
		inner, isTable := tree[key].(map[string]any)
		switch at := position(name); {
		case at >= 0:
			r.setting(Keys[at], tree[key])
		case isTable && slices.Contains(tables(), name):
			r.table(name+".", inner)
		case slices.Contains(tables(), name):
			r.fail(name, "%s is a table; write [%s], then its keys", name, name)
		default:
			r.unknown(name)
		}
	}
}

func (r *reader) setting(k Key, v any) {
	values, ok := k.values(v)
	if !ok {
		r.fail(k.Name, "%s is %s; write it as in %s = %s", k.Name, shown(v), last(k.Name), k.Example)
		return
	}
	if k.Kind == File {
		for i, v := range values {
			if !filepath.IsAbs(v) {
				values[i] = filepath.Join(filepath.Dir(r.file), v)
			}
		}
	}
	r.settings = append(r.settings, Setting{k, values, r.place(k.Name)})
}

// values returns a value as a flag accepts it, and whether it has the key's type.
func (k Key) values(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, k.Kind == Text || k.Kind == File
	case bool:
		return []string{strconv.FormatBool(v)}, k.Kind == Switch
	case int64:
		return []string{strconv.FormatInt(v, 10)}, k.Kind == Whole || k.Kind == Number
	case float64:
		return []string{strconv.FormatFloat(v, 'g', -1, 64)}, k.Kind == Number
	case []any:
		var all []string
		for _, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil, false
			}
			all = append(all, s)
		}
		return all, k.Kind == List
	}
	return nil, false
}

// shown formats a value of a wrong type for a message.
func shown(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "a list of tables"
	}
	return fmt.Sprint(v)
}

func (r *reader) unknown(name string) {
	table, key, inTable := strings.Cut(name, ".")
	if !inTable || !slices.Contains(tables(), table) {
		hint := "the tables are " + strings.Join(tables(), ", ")
		if near := suggest.Nearest(name, append(tables(), "version")); near != "" {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		r.fail(name, "unknown key %q; %s", name, hint)
		return
	}
	var of []string
	elsewhere := ""
	for _, k := range Keys {
		in, known, _ := strings.Cut(k.Name, ".")
		switch {
		case in == table:
			of = append(of, known)
		case known == key:
			elsewhere = k.Name
		}
	}
	hint := fmt.Sprintf("the keys of [%s] are %s", table, strings.Join(of, ", "))
	if elsewhere != "" {
		hint = fmt.Sprintf("did you mean %q?", elsewhere)
	} else if near := suggest.Nearest(key, of); near != "" {
		hint = fmt.Sprintf("did you mean %q?", table+"."+near)
	}
	r.fail(name, "unknown key %q; %s", name, hint)
}

func (r *reader) fail(name, format string, args ...any) {
	r.wrong = append(r.wrong, mistake{r.lines[name], fmt.Errorf("%s: %s", r.place(name), fmt.Sprintf(format, args...))})
}

// place returns the file and line of a key.
func (r *reader) place(name string) string {
	if line := r.lines[name]; line > 0 {
		return fmt.Sprintf("%s:%d", r.file, line)
	}
	return r.file
}

// position returns the index of a key in Keys, or -1.
func position(name string) int {
	return slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
}

// tables returns the names of all tables, in the order of Keys.
func tables() []string {
	var all []string
	for _, k := range Keys {
		if table, _, _ := strings.Cut(k.Name, "."); !slices.Contains(all, table) {
			all = append(all, table)
		}
	}
	return all
}

// last returns the name of a key within its table.
func last(name string) string { return name[strings.LastIndex(name, ".")+1:] }
