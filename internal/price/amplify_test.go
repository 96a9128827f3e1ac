package price

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/source"
)

// studied returns the source of a package with one file, in which the function f has a line.
func studied(t *testing.T, text string, line int) (x *source.Index, file string) {
	t.Helper()
	dir := t.TempDir()
	for file, text := range map[string]string{"x.go": text, "go.mod": "module ex.com/x\n\ngo 1.22\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x, err := source.Open(t.Context(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(dir, "x.go")
	if err := x.Study(t.Context(), []source.Place{{Function: "ex.com/x.f", File: file, Line: line}}); err != nil {
		t.Fatal(err)
	}
	return x, file
}

// The compiler names the column of an allocation. If the text has none there, the line's only
// expression that allocates is executed again.
func TestColumn(t *testing.T) {
	const text = "package x\n\nimport \"strconv\"\n\nvar counts = map[string]int{}\n\n\nfunc f(n, m int) {\n" +
		"\tcounts[strconv.Itoa(n)]++\n\tcounts[strconv.Itoa(n)+strconv.Itoa(m)] = len(strconv.Itoa(m))\n" +
		"\tcounts[strconv.Itoa(n) + strconv.Itoa(m)]++\n}\n"
	x, file := studied(t, text, 8)
	for _, c := range []struct {
		line, column int
		whole        bool
		want         string
	}{
		{9, 21, false, "heapwrightKeepString(strconv.Itoa(n))"},
		{9, 40, false, "heapwrightKeepString(strconv.Itoa(n))"},
		{9, 0, false, "heapwrightKeepString(strconv.Itoa(n))"},
		{10, 5, false, ""},
		{10, 60, true, "heapwrightKeepString(strconv.Itoa(m))"},
		{11, 39, false, "heapwrightKeepString(strconv.Itoa(m))"},
		{11, 39, true, "heapwrightKeepString(strconv.Itoa(n) + strconv.Itoa(m))"},
	} {
		a := amplify(x, []Site{{File: file, Line: c.line, Column: c.column, Whole: c.whole}})
		if why := a.sites[0].why; (why == "") != (c.want != "") || !strings.Contains(a.patch, c.want) {
			t.Errorf("%d:%d: %q\n%s", c.line, c.column, why, a.patch)
		}
	}
}

// The runtime works on the object that line 10 of each function makes.
func TestLater(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []int
	}{
		"a map": {
			"m := map[int]bool{}\nm[n] = true\nother[n] = true\ndelete(m, n)\nfor range m {\n}", []int{11, 13, 14},
		},
		"a copy":        {"b := make([]byte, n)\ncopy(b, text)\ncopy(b[2:], text)\ncopy(buf, b)\nb[0] = 1", []int{11, 12}},
		"another":       {"n++\nother[n] = true", nil},
		"in its line":   {"m := map[int]bool{}; m[n] = true", []int{10}},
		"two variables": {"b, m := make([]byte, n), map[int]bool{}\nm[0] = copy(b, text) > 0", []int{11}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "package x\n\nvar (\n\tother = map[int]bool{}\n\tbuf []byte\n)\n\n" +
				"func f(n int, text string) {\n\n" + c.body + "\n}\n"
			x, file := studied(t, text, 8)
			a := amplify(x, []Site{{File: file, Line: 10}})
			if got := a.sites[0].later; !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v; %s", got, c.want, a.sites[0].why)
			}
		})
	}
}

// Each line with "//" is amplified, if it can be.
func TestAmplify(t *testing.T) {
	for name, c := range map[string]struct{ body, want, why string }{
		"a literal":          {"sink = &node{n, nil} //", "heapwrightKeepPointer(&node{n, nil})", ""},
		"new":                {"sink = new(node) //", "heapwrightKeepPointer(new(node))", ""},
		"make":               {"b := make([]byte, n) //\n_ = b", "heapwrightKeepMade(make([]byte, n))", ""},
		"text":               {"s := string(buf[:n]) //\nuse(s)", "heapwrightKeepString(string(buf[:n]))", ""},
		"bytes":              {"buf = []byte(name) //", "heapwrightKeepSlice([]byte(name))", ""},
		"concatenation":      {"name = name + \"x\" //", "heapwrightKeepString(name + \"x\")", ""},
		"a map":              {"m := map[string]int{name: n} //\n_ = m", "heapwrightKeepValue(map[string]int{name: n})", ""},
		"formatting":         {"use(fmt.Sprintf(\"%d\", n)) //", "heapwrightKeepString(fmt.Sprintf(\"%d\", n))", ""},
		"a pattern":          {"re := regexp.MustCompile(\"a+\") //\n_ = re", "heapwrightKeepPointer(regexp.MustCompile(\"a+\"))", ""},
		"with an error":      {"b, err := json.Marshal(n) //\n_, _ = b, err", "heapwrightResult, _ := json.Marshal(n); heapwrightKeepSlice(heapwrightResult)", ""},
		"a closure":          {"f := func() int { return n } //\nsinkFunc = f", "heapwrightKeepValue(func() int { return n })", ""},
		"in a return":        {"return string(buf) //", "heapwrightKeepString(string(buf))", ""},
		"in a condition":     {"if string(buf) == name { //\nreturn name\n}", "heapwrightKeepString(string(buf))", ""},
		"in a case":          {"switch n {\ncase 1:\nuse(string(buf)) //\n}", "heapwrightKeepString(string(buf))", ""},
		"a range":            {"for range strings.Split(name, \",\") { //\n}", "heapwrightKeepSlice(strings.Split(name, \",\"))", ""},
		"behind and":         {"if n > 0 && string(buf) == name { //\nreturn name\n}", "", "only sometimes"},
		"a loop's end":       {"for i := 0; string(buf) != name; i++ { //\n}", "", "only sometimes"},
		"after an init":      {"if k := n; string(buf[:k]) == name { //\nreturn name\n}", "", "only sometimes"},
		"a case's value":     {"switch name {\ncase string(buf): //\nreturn name\n}", "", "only sometimes"},
		"the program's own":  {"use(mine()) //", "", "could change more than memory"},
		"in an argument":     {"use(string(read())) //", "", "could change more than memory"},
		"its memory":         {"sink = &node{n, later()} //", "heapwrightKeepPointer(&node{})", ""},
		"a method of it":     {"use(fmt.Sprint(loud{})) //", "", "could change more than memory"},
		"a channel":          {"use(string(<-ch)) //", "", "could change more than memory"},
		"an error":           {"wrapped = fmt.Errorf(\"%d: %w\", n, missing) //", "heapwrightKeepValue(fmt.Errorf(\"%d: %w\", n, missing))", ""},
		"two of them":        {"use(string(buf) + string(buf[1:])); use(string(buf)) //", "", "several expressions"},
		"nothing":            {"n++ //", "", "no expression of the line"},
		"append":             {"buf = append(buf, 1) //", "heapwrightGrow(buf, 1)", ""},
		"appending a slice":  {"buf = append(buf, name...) //", "heapwrightGrow(buf, len(name))", ""},
		"appending to more":  {"buf = append(read(), name...) //", "", "could change more than memory"},
		"appended digits":    {"buf = strconv.AppendInt(buf, int64(n), 10) //", "heapwrightKeepSlice(strconv.AppendInt(buf, int64(n), 10))", ""},
		"appended to itself": {"buf = strconv.AppendInt(buf[:0], int64(buf[0]), 10) //", "", "could change more than memory"},
		"a reader":           {"r := bufio.NewReader(os.Stdin) //\n_ = r", "heapwrightKeepPointer(bufio.NewReader(os.Stdin))", ""},
		"a boxed argument":   {"box(n) //", "heapwrightKeepValue(n)", ""},
		"a boxed field":      {"sinkAny = boxed{v: n} //", "heapwrightKeepValue(boxed{v: n})", ""},
		"a boxed variable":   {"var v any = n //\nbox(v)", "heapwrightKeepValue(n)", ""},
		"a boxed element":    {"all := []any{n} //\n_ = all", "heapwrightKeepSlice([]any{n})", ""},
		"boxed for append":   {"var all []any\nall = append(all, n) //", "heapwrightGrow(all, 1)", ""},
		"a boxed constant":   {"box(1) //", "", "no expression of the line"},
		"a method value":     {"f := later().String //\n_ = f", "", "could change more than memory"},
		"of a variable":      {"f := sink.String //\n_ = f", "heapwrightKeepValue(sink.String)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "package x\n\nimport (\n\t\"bufio\"\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"os\"\n\t\"regexp\"\n\t\"strconv\"\n\t\"strings\"\n)\n\n" +
				"var (\n\t_ = bufio.NewReader\n\t_ = os.Stdin\n\t_ = strconv.Itoa\n\t_ = json.Marshal\n\t_ = fmt.Sprint\n\t_ = regexp.MustCompile\n\t_ = strings.Split\n)\n\n" +
				"type node struct {\n\tn int\n\tnext *node\n}\n\ntype boxed struct{ v any }\n\nvar wrapped, missing error\n\nvar sinkAny any\n\nfunc box(any) {}\n\nfunc (n *node) String() string { return \"\" }\n\ntype loud struct{}\n\nfunc (loud) String() string { return \"\" }\n\n" +
				"var (\n\tsink *node\n\tsinkFunc func() int\n)\n\nfunc use(string) {}\n\nfunc mine() string { return \"\" }\n\nfunc later() *node { return nil }\n\nfunc read() []byte { return nil }\n\n" +
				"func f(n int, name string, buf []byte, ch chan []byte) string {\n" + c.body + "\nreturn name\n}\n"
			before, _, _ := strings.Cut(text, " //")
			line := strings.Count(before, "\n") + 1
			x, file := studied(t, text, line)
			a := amplify(x, []Site{{File: file, Line: line}})
			if !strings.Contains(a.sites[0].why, c.why) || (a.sites[0].why == "") != (c.want != "") {
				t.Fatalf("why %q, want %q", a.sites[0].why, c.why)
			}
			loop := "+for heapwrightI := heapwrightMore(0); heapwrightI > 0; heapwrightI-- { " + c.want + " }; "
			if c.want != "" && !strings.Contains(a.patch, loop) {
				t.Errorf("no %q in\n%s", loop, a.patch)
			}
			if c.want == "" && a.patch != "" {
				t.Errorf("patch\n%s", a.patch)
			}
		})
	}
}

// The memory of a line is allocated by its innermost statement, with pointers if the line's may
// hold some. Small objects are of the other kind, so that they do not lie between the program's.
func TestMemory(t *testing.T) {
	const text = `package x

type pair struct{ left, right *pair }

var all []*pair

func add(m map[string]*pair, s []*pair, key string, n int) {
	for i := 0; i < n; i++ {
		if i%2 == 0 {
			m[key] = all[i] // map
		}
		all = append(all, s[i]) // append
	}
	p := &pair{} // literal
	all[0] = p
	table := map[string]*pair{key: p} // table
	_ = table
	_ = []byte(key) // bytes
}
`
	dir := t.TempDir()
	for file, text := range map[string]string{"x.go": text, "go.mod": "module ex.com/x\n\ngo 1.22\n"} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	x, err := source.Open(t.Context(), source.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "x.go")
	if err := x.Study(t.Context(), []source.Place{{Function: "ex.com/x.add", File: file, Line: 7}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		size float64
		want string // the loop's body, "" for no loop
	}{
		{"map", 2048.4, "heapwrightKeepWords(2048)"},
		{"append", 512, "heapwrightKeepWords(512)"},
		{"append", 64, "heapwrightKeepBytes(64)"},
		{"literal", 16, "heapwrightKeepBytes(16)"},
		{"literal", 8, ""},
		{"literal", 256, ""},
		{"table", 512, "heapwrightKeepWords(512)"},
		{"bytes", 8, "heapwrightKeepBytes(8)"},
		{"bytes", 24, "heapwrightKeepWords(24)"},
		{"bytes", 0, ""},
	} {
		before, _, _ := strings.Cut(text, "// "+c.line)
		a := amplify(x, []Site{{File: file, Line: strings.Count(before, "\n") + 1, Size: c.size, Share: 0.5}})
		_, loop, found := strings.Cut(a.patch, "heapwrightMore(1)")
		body, _, _ := strings.Cut(loop, "}")
		if found != (c.want != "") || found != a.sites[0].memory || !strings.Contains(body, c.want) {
			t.Errorf("%s of %v bytes: %+v\n%s", c.line, c.size, a.sites[0], a.patch)
		}
	}
}
