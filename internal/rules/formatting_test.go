package rules

import (
	"strings"
	"testing"
)

const formats = `package main

import (
	"bytes"
	"fmt"
)

func key(id int) string {
	return fmt.Sprintf("%d", id)
}

func logf(f string, values ...any) string {
	return fmt.Sprintf(f, values...)
}

func print(b *bytes.Buffer, id int) {
	fmt.Fprintf(b, "%d", id)
}

func main() {}
`

func TestFormatting(t *testing.T) {
	t.Run("the call", func(t *testing.T) {
		s := newScene(t, formats)
		s.churn("fmt.Sprintf", s.frame("key", "fmt.Sprintf"))
		has(t, s.wants("formatting", "fmt.Sprintf").Title, "fmt.Sprintf")
	})
	t.Run("what is put into interfaces for it", func(t *testing.T) {
		s := newScene(t, formats)
		s.churn("runtime.convT64", s.frame("key", "fmt.Sprintf"))
		s.wants("formatting", "fmt.Sprintf")
	})
	t.Run("of values that only the caller knows", func(t *testing.T) {
		s := newScene(t, formats)
		s.churn("fmt.Sprintf", s.frame("logf", "fmt.Sprintf(f"))
		has(t, s.wants("formatting", "fmt.Sprintf(f").Remedy, "the format and its values come from the caller")
	})
	t.Run("into a buffer that grows", func(t *testing.T) {
		s := newScene(t, formats)
		s.churn("bytes.(*Buffer).grow@/go/src/b.go:1 fmt.Fprintf", s.frame("print", "fmt.Fprintf"))
		s.wants("request-buffer", "fmt.Fprintf")
	})
}

// The answer fits the function that is called.
func TestFormattingRemedyFitsTheCallee(t *testing.T) {
	for callee, want := range map[string]string{
		"fmt.Errorf":                        "error",
		"fmt.Sscanf":                        "Parse the fields",
		"fmt.Fprintf":                       "write the buffer",
		"log/slog.(*Logger).Info":           "LogAttrs",
		"log/slog.(*Logger).LogAttrs":       "Logger.With",
		"sort.Slice":                        "slices.SortFunc",
		"reflect.Value.Interface":           "Look at the types once",
		"text/template.(*Template).Parse":   "Parse the template once",
		"html/template.(*Template).Execute": "Keep the output of parts that do not change",
		"internal/reflectlite.Swapper":      "slices.SortFunc",
		"reflect.Value.MapRange":            "Look at the types once",
		"fmt.Sprintf":                       "strconv.Append",
		"fmt.Appendf":                       "instead of a format",
	} {
		t.Run(callee, func(t *testing.T) {
			s := newScene(t, formats)
			s.churn(callee, s.frame("key", "fmt.Sprintf"))
			findings := s.find()
			if len(findings) == 0 || findings[0].Rule != "formatting" {
				t.Fatalf("found %+v", findings)
			}
			has(t, findings[0].Remedy, want)
			if verbs := strings.HasPrefix(callee, "fmt."); strings.Contains(findings[0].Risk, "%q") != verbs {
				t.Errorf("the risk is %s", findings[0].Risk)
			}
			if strings.HasPrefix(callee, "reflect.") && findings[0].Example != "" {
				t.Errorf("an example that does not fit: %s", findings[0].Example)
			}
		})
	}
}

const loggers = `package main

import "log/slog"

type server struct{ log *slog.Logger }

func (s *server) kept(id int) {
	s.log = s.log.With("id", id)
	s.log.Info("kept")
}

func (s *server) local(id int) {
	log := s.log
	log = log.With("id", id+1)
	log.Info("local")
}

func (s *server) other(t *server, id int) {
	s.log = t.log.With("id", id+2)
}

func main() {}
`

// A logger that is kept in the place of the one that it is made from grows.
func TestGrowingLogger(t *testing.T) {
	for _, test := range []struct {
		function, line string
		grows          bool
	}{
		{"(*server).kept", `s.log.With("id", id)`, true},
		{"(*server).local", `log.With("id", id+1)`, false},
		{"(*server).other", `t.log.With("id", id+2)`, false},
	} {
		t.Run(test.function, func(t *testing.T) {
			s := newScene(t, loggers)
			s.churn("log/slog.(*Logger).With", s.frame(test.function, test.line))
			f := s.wants("formatting", test.line)
			if is := strings.Contains(f.Remedy, "in a local variable"); is != test.grows {
				t.Error(f.Remedy)
			}
		})
	}
}

// The text of errors within errors is the error's fault, not the formatter's.
func TestNestedErrors(t *testing.T) {
	s := newScene(t, formats)
	join := "errors.(*joinError).Error@/go/src/errors/join.go:1 "
	s.churn("", strings.Repeat(join, 5)+"fmt.Sprintf@/go/src/fmt/print.go:1 "+s.frame("logf", "fmt.Sprintf(f"))
	f := s.wants("formatting", "fmt.Sprintf(f")
	has(t, f.Title, "nested many times")
	has(t, f.Remedy, "join them once")
}
