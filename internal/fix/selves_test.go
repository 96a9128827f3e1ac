package fix

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const functions = `package x

import (
	"errors"
	"os"
	"strings"
)

func First(s string) (string, error) {
	all := strings.Split(s, ",")
	if all[0] == "" {
		return "", errors.New("none")
	}
	return all[0], nil
}

func Sum(all []int) (sum int) {
	for _, n := range all {
		sum += n
	}
	return sum
}

func Remove(name string) error { return os.Remove(remover(name)) }

func remover(name string) string { return trimmed(name) }

func Empty(s string) bool { return s == "" && removes() }

func removes() bool { return Remove("x") == nil }

func trimmed(s string) string { return strings.TrimSpace(s) }

type T struct{ n int }

func (t T) Add(n int) int { return t.n + n }

func Join(all ...string) []string { return append([]string{}, all...) }

var calls int

func Count(n int) int {
	calls++
	return n + calls
}
`

// A function that computes is run beside its old self. One that differs is named with the
// input. Others are not run, and no two calls of one with a state are alike.
func TestBesideOld(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, new, ran, differs string }{
		"the same": {"all := strings.Split(s, \",\")\n\tif all[0] == \"\"", "first, _, _ := strings.Cut(s, \",\")\n\tall := []string{first}\n\tif first == \"\"",
			"First", ""},
		"other result":    {`strings.Split(s, ",")`, `strings.SplitN(s, ".", 2)`, "", "First: with ("},
		"other error":     {`errors.New("none")`, `errors.New("nothing")`, "", `instead of ("")(*errors.errorString "none")`},
		"new panic":       {"sum += n", "sum += n / all[len(all)-1] * all[len(all)-1]", "", "Sum: with ("},
		"changed input":   {"range all {\n\t\tsum += n", "range all {\n\t\tall[0] = 7\n\t\tsum += n", "", "and arguments"},
		"nil for empty":   {"append([]string{}, all...)", "append([]string(nil), all...)", "", "Join: with ("},
		"with the system": {"os.Remove(remover(name))", "os.Remove(remover(name) + \"1\")", "", ""},
		"far from it":     {`s == "" &&`, `len(s) == 0 &&`, "", ""},
		"a method":        {"t.n + n", "t.n - n", "", ""},
		"with a state":    {"n + calls", "n + 2 + calls", "Count", ""},
		"does not build":  {"sum += n", "sum += m", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, map[string]string{"y/y.go": functions})
			w, err := copyTree(t.Context(), dir, "")
			if err != nil {
				t.Fatal(err)
			}
			defer w.remove()
			file := filepath.Join(w.root, "y", "y.go")
			after := strings.Replace(functions, c.old, c.new, 1)
			if after == functions {
				t.Fatal("nothing changes")
			}
			texts := map[string][]byte{file: []byte(after)}
			if err := w.write(texts); err != nil {
				t.Fatal(err)
			}
			s, err := w.besideOld(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			if s.Passed != (c.differs == "") || c.differs != "" && !strings.Contains(s.Output, c.differs) || s.Passed && s.Output != c.ran {
				t.Errorf("%+v", s)
			}
			if all, _ := os.ReadDir(filepath.Dir(file)); len(all) != 1 {
				t.Errorf("left over: %v", all)
			}
		})
	}
}
