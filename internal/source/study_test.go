package source

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// program writes a module and returns its folder.
func program(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	files["go.mod"] = "module ex.com/x\n\ngo 1.24\n"
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func study(t *testing.T, o Options, places ...Place) *Index {
	t.Helper()
	x, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Study(t.Context(), places); err != nil {
		t.Fatal(err)
	}
	return x
}

// Each line says after "//" which kinds of allocation it is to have.
const kinds = `package x

import (
	"fmt"
	"strings"
	"time"
)

type row struct{ name string; n int }

type store struct {
	all  map[string]*row
	last []string
	some map[int]int
}

var global []row

func (s *store) put(b []byte, rows []row) (out []string, err error) {
	name := string(b) // bytes→string
	if s.all[string(b)] != nil || string(b) == "x" { //
		return nil, fmt.Errorf("%s", name) // call fmt.Errorf, conversion to interface
	}
	s.all[name] = &row{name, 1} // map insert s.all outlives, new or &T{}
	s.some[1]++ // map insert s.some outlives shrinks
	delete(s.some, 0) //
	global = append(global, row{}) // append global outlives
	var found []string
	sized := make([]string, 0, len(rows)) // make slice sized
	for _, r := range rows {
		found = append(found, r.name) // append found room=len(rows) loop
		sized = append(sized, r.name) // append sized sized room=len(rows) loop
		time.Sleep(1) // call time.Sleep loop
		defer s.done() // defer in a loop loop, call ex.com/x.(*store).done loop
	}
	m := map[string]int{} // make map
	for i := 0; i < len(rows); i++ {
		m[rows[i].name] = i // map insert m room=len(rows) loop
	}
	text := "a" + name + "b" // string concatenation
	for range 3 {
		text += name // string concatenation loop
	}
	f := func() string { return text } // closure
	s.last = append(s.last[:0], f()) // append s.last sized outlives shrinks, call
	g := s.done // method value
	go g() // go statement, call
	h := []byte(text) // string→bytes
	s.last[0] = text[1:3] // value put into a container or sent to a channel outlives shrinks, part of a slice or string that is kept
	var b2 strings.Builder
	b2.WriteString(text[2:]) // call strings.(*Builder).WriteString
	_ = append([]byte(nil), h...) // append sized
	return found, nil
}

func (s *store) done() {}

func boxes(v any, w ...any) any {
	boxes(1, v, &global, len(global), row{}) // call ex.com/x.boxes, conversion to interface, conversion to interface
	return row{} // conversion to interface
}
`

func TestAllocations(t *testing.T) {
	dir := program(t, map[string]string{"x.go": kinds})
	file := filepath.Join(dir, "x.go")
	x := study(t, Options{Dir: dir}, Place{"ex.com/x.(*store).put", file, 20})
	for i, line := range strings.Split(kinds, "\n") {
		_, want, ok := strings.Cut(line, "// ")
		if !ok && !strings.HasSuffix(line, "//") {
			continue
		}
		var got []string
		for _, a := range x.Allocations(file, i+1) {
			words := string(a.Kind)
			if a.Kind == Call {
				words = strings.TrimSpace(words + " " + a.Callee)
			}
			if a.Kind == Append && a.Target != "" && !strings.Contains(a.Target, "nil") || a.Kind == MapInsert {
				words += " " + a.Target
			}
			add := func(is bool, word string) {
				if is {
					words += " " + word
				}
			}
			add(a.Sized && (a.Kind == Append || a.Kind == MakeSlice), "sized")
			add(a.Room != "", "room="+a.Room)
			add(a.Outlives, "outlives")
			add(a.Shrinks, "shrinks")
			add(a.InLoop, "loop")
			got = append(got, words)
		}
		if diff := cmp.Diff(want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("line %d: %s\n%s", i+1, strings.TrimSpace(line), diff)
		}
	}
	if text, ok := x.Line(file, 20); !ok || !strings.HasPrefix(text, "name := string(b)") {
		t.Errorf("line 20: %q, %v", text, ok)
	}
	if f, ok := x.Function(file, 40); !ok || f.Name != "(*store).put" || f.First != 19 {
		t.Errorf("line 40 is in %+v, %v", f, ok)
	}
	var why []string
	for _, e := range x.Escapes(file, 24) {
		why = append(why, e.String())
	}
	if fmt.Sprint(why) != "[&row{...}: stored by s.all[name] = &row{...}]" {
		t.Errorf("line 24 escapes: %q", why)
	}
}

// The names of files when the program was built elsewhere, or with -trimpath.
func TestFilesOfAProgramBuiltElsewhere(t *testing.T) {
	const main = "package main\n\nvar sink []byte\n\nfunc main() {\n\tsink = make([]byte, 1<<20)\n}\n"
	dir := program(t, map[string]string{"cmd/d/main.go": main, "in/in.go": strings.Replace(main, "package main", "package in", 1)})
	for _, p := range []Place{
		{"main.main", "/src/app/cmd/d/main.go", 6},
		{"main.main", "ex.com/x/cmd/d/main.go", 6},
		{"main.main", `C:\src\app\cmd\d\main.go`, 6},
		{"ex.com/x/in.main", "/src/app/in/in.go", 6},
		{"ex.com/x/in.main", "ex.com/x/in/in.go", 6},
	} {
		x := study(t, Options{Dir: dir}, p)
		if text, ok := x.Line(p.File, p.Line); !ok || text != "sink = make([]byte, 1<<20)" {
			t.Errorf("%v: %q, %v; %q", p, text, ok, x.Notes())
		}
		if len(x.Escapes(p.File, p.Line)) == 0 {
			t.Errorf("%v: no escape", p)
		}
		if !x.Owns(p.Function, p.File) {
			t.Errorf("%v is not the program's own", p)
		}
	}
	x := study(t, Options{Dir: dir})
	if x.Owns("encoding/json.Marshal", "/usr/local/go/src/encoding/json/encode.go") {
		t.Error("encoding/json is the program's own")
	}
}

// A test binary has the package twice, its external tests and a main function
// that nobody wrote.
func TestSourceOfTests(t *testing.T) {
	dir := program(t, map[string]string{
		"x.go":        "package x\n\nfunc New() *int { return new(int) }\n",
		"x_test.go":   "package x\n\nimport \"testing\"\n\nvar s *int\n\nfunc BenchmarkX(b *testing.B) { s = new(int) }\n",
		"ext_test.go": "package x_test\n\nimport \"testing\"\n\nvar s *int\n\nfunc BenchmarkY(b *testing.B) { s = new(int) }\n",
	})
	places := []Place{
		{"ex.com/x.New", filepath.Join(dir, "x.go"), 3},
		{"ex.com/x.BenchmarkX", filepath.Join(dir, "x_test.go"), 7},
		{"ex.com/x_test.BenchmarkY", filepath.Join(dir, "ext_test.go"), 7},
	}
	x := study(t, Options{Dir: dir}, append(places, Place{"main.main", "_testmain.go", 50}, Place{"ex.com/x.T.M", "<autogenerated>", 1})...)
	for _, p := range places {
		if !x.Owns(p.Function, p.File) {
			t.Errorf("%v is not the program's own", p)
		}
		if got := x.Allocations(p.File, p.Line); len(got) != 1 || got[0].Kind != New {
			t.Errorf("%v: %+v", p, got)
		}
		if got := x.Escapes(p.File, p.Line); len(got) != 1 {
			t.Errorf("%v: %+v", p, got)
		}
	}
	if notes := x.Notes(); len(notes) > 0 {
		t.Errorf("notes %q", notes)
	}
}

func TestSourceThatIsNotWhatWasProfiled(t *testing.T) {
	dir := program(t, map[string]string{"x.go": "package x\n\nfunc F() *int {\n\treturn new(int)\n}\n\nfunc G() {}\n"})
	file := filepath.Join(dir, "x.go")
	for _, c := range []struct {
		place Place
		doubt string
	}{
		{Place{"ex.com/x.F", file, 4}, ""},
		{Place{"ex.com/x.H.F.func1", file, 4}, ""},
		{Place{"ex.com/x.F[...]", file, 4}, ""},
		{Place{"ex.com/x.(*T).F", file, 4}, ""}, // (*T).F ends like F: not told apart
		{Place{"ex.com/x.H", file, 4}, "line 4 is in F, not in ex.com/x.H: this is not the source that was profiled"},
		{Place{"ex.com/x.F", file, 70}, "there is no line 70: this is not the source that was profiled"},
		{Place{"ex.com/x.F", filepath.Join(dir, "y.go"), 7}, "not in " + dir},
	} {
		x := study(t, Options{Dir: dir}, c.place)
		if got := x.Doubt(c.place.File); got != c.doubt {
			t.Errorf("%v: %q, want %q", c.place, got, c.doubt)
		}
		if _, ok := x.Line(c.place.File, 4); ok != (c.doubt == "") {
			t.Errorf("%v: line is known: %v", c.place, ok)
		}
		if got := x.Allocations(c.place.File, 4); (len(got) > 0) != (c.doubt == "") {
			t.Errorf("%v: %v", c.place, got)
		}
	}
	x := study(t, Options{Dir: dir, Profiled: time.Now().Add(-time.Hour)}, Place{"ex.com/x.F", file, 4})
	if notes := x.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "changed after the profile was made") {
		t.Errorf("notes %q", notes)
	}
}

// The compiler may give an instruction of inlined code to its caller.
func TestFunctionMostlyInItsPlace(t *testing.T) {
	dir := program(t, map[string]string{"x.go": "package x\n\nfunc F() *int {\n\treturn new(int)\n}\n\nfunc G() {\n\tF()\n\tF()\n}\n"})
	file := filepath.Join(dir, "x.go")
	astray := Place{"ex.com/x.G", file, 4}
	if x := study(t, Options{Dir: dir}, astray, Place{"ex.com/x.G", file, 8}, Place{"ex.com/x.G", file, 9}); x.Doubt(file) != "" {
		t.Errorf("doubt %q", x.Doubt(file))
	}
	for _, in := range [][]Place{{astray}, {astray, {"ex.com/x.G", file, 8}}, {astray, {"ex.com/x.F", file, 4}}} {
		if x := study(t, Options{Dir: dir}, in...); x.Doubt(file) == "" {
			t.Errorf("no doubt of %v", in)
		}
	}
}

func TestSourceThatDoesNotBuild(t *testing.T) {
	for name, text := range map[string]string{
		"types":  "package x\n\nfunc F(s string) []byte {\n\tb := []byte(s)\n\treturn b\n}\n\nfunc G() int { return \"x\" }\n",
		"syntax": "package x\n\nfunc F(s string) []byte {\n\tb := []byte(s)\n\treturn b\n}\n\nfunc G( int { return 1 }\n",
		"import": "package x\n\nimport \"ex.com/gone\"\n\nfunc F(s string) []byte { b := []byte(s); gone.F(b)\n\treturn b }\n",
	} {
		t.Run(name, func(t *testing.T) {
			dir := program(t, map[string]string{"x.go": text})
			file := filepath.Join(dir, "x.go")
			line := strings.Count(text[:strings.Index(text, "[]byte(s)")], "\n") + 1
			x := study(t, Options{Dir: dir}, Place{"ex.com/x.F", file, line})
			if notes := x.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "does not build: ") {
				t.Errorf("notes %q", notes)
			}
			if _, ok := x.Line(file, line); !ok {
				t.Error("the line is not known")
			}
			if got := x.Allocations(file, line); len(got) == 0 || got[0].Kind != StringToBytes {
				t.Errorf("allocations %+v", got)
			}
		})
	}
}

// Generated code may give its lines the names of other files. Its findings have no
// source, so a note has to say why.
func TestLinesOfGeneratedCode(t *testing.T) {
	dir := program(t, map[string]string{"parser.go": "package x\n\n//line yaccpar:1\nfunc parse() *int { return new(int) }\n"})
	file := filepath.Join(dir, "yaccpar")
	x := study(t, Options{Dir: dir}, Place{"ex.com/x.parse", file, 1}, Place{"ex.com/x.(*T).String", "<autogenerated>", 1})
	want := []string{"no source for " + file + ": a //line directive in a file of package ex.com/x names it"}
	if diff := cmp.Diff(want, x.Notes()); diff != "" {
		t.Error(diff)
	}
	if why := x.Doubt(file); why == "" {
		t.Error("no doubt")
	}
}

func TestNoIndexKnowsNothing(t *testing.T) {
	var x *Index
	if _, ok := x.Line("x.go", 1); ok || x.Escapes("x.go", 1) != nil || x.Allocations("x.go", 1) != nil || x.Notes() != nil {
		t.Error("a nil Index knows something")
	}
	if x.Owns("main.main", "x.go") || x.Doubt("x.go") == "" {
		t.Error("a nil Index knows whose a function is")
	}
	if _, err := Open(t.Context(), Options{Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "module") {
		t.Errorf("a folder without a module: %v", err)
	}
}

// A server's own main may be on no path of a profile.
func TestStudyReadsTheProgram(t *testing.T) {
	t.Parallel()
	dir := program(t, map[string]string{
		"lib/lib.go":   "package lib\n\nfunc F() *int { return new(int) }\n",
		"cmd/main.go":  "package main\n\nfunc main() {}\n",
		"more/more.go": "package more\n",
	})
	at := Place{Function: "ex.com/x/lib.F", File: filepath.Join(dir, "lib", "lib.go"), Line: 3}
	for _, test := range []struct {
		programs []string
		want     string
	}{
		{nil, "ex.com/x/lib"},
		{[]string{"./cmd"}, "ex.com/x/cmd ex.com/x/lib"},
		{[]string{"ex.com/x/cmd"}, "ex.com/x/cmd ex.com/x/lib"},
		{[]string{"./more", "./absent"}, "ex.com/x/lib"},
	} {
		var got []string
		for _, p := range study(t, Options{Dir: dir, Programs: test.programs}, at).Packages() {
			got = append(got, p.Path)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != test.want {
			t.Errorf("%q: studied %q, want %s", test.programs, got, test.want)
		}
	}
}
