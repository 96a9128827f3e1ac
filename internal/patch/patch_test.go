package patch

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"pgregory.net/rapid"
)

// folder is a file system in memory.
type folder map[string]string

func (f folder) read(name string) ([]byte, error) {
	text, ok := f[filepath.ToSlash(name)]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return []byte(text), nil
}

const poem = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n"

const five = "--- a/x.go\n+++ b/x.go\n@@ -3,5 +3,5 @@ func F\n three\n four\n-five\n+5\n six\n seven\n"

func TestApply(t *testing.T) {
	changed := strings.Replace(poem, "five", "5", 1)
	for name, c := range map[string]struct {
		diff string
		have folder
		want folder // "" is a file that is removed
		err  string
	}{
		"in place":            {five, folder{"/m/x.go": poem}, folder{"/m/x.go": changed}, ""},
		"moved down":          {five, folder{"/m/x.go": "zero\nnull\n" + poem}, folder{"/m/x.go": "zero\nnull\n" + changed}, ""},
		"moved up":            {five, folder{"/m/x.go": poem[len("one\n"):]}, folder{"/m/x.go": changed[len("one\n"):]}, ""},
		"other context":       {five, folder{"/m/x.go": strings.Replace(poem, "three", "III", 1)}, folder{"/m/x.go": strings.Replace(changed, "three", "III", 1)}, ""},
		"too much else":       {five, folder{"/m/x.go": strings.NewReplacer("three", "3", "four", "4", "six", "6").Replace(poem)}, folder{"/m/x.go": strings.NewReplacer("three", "3", "four", "4", "six", "6", "five", "5").Replace(poem)}, ""},
		"the line differs":    {five, folder{"/m/x.go": strings.Replace(poem, "five", "V", 1)}, nil, "x.go: hunk 1 (@@ -3,5 +3,5 @@ func F) does not apply"},
		"applied already":     {five, folder{"/m/x.go": changed}, nil, "is applied already"},
		"without prefixes":    {strings.NewReplacer("a/x", "x", "b/x", "x").Replace(five), folder{"/m/x.go": poem}, folder{"/m/x.go": changed}, ""},
		"below the second":    {five, folder{"/r/x.go": poem}, folder{"/r/x.go": changed}, ""},
		"line ends of DOS":    {five, folder{"/m/x.go": strings.ReplaceAll(poem, "\n", "\r\n")}, folder{"/m/x.go": strings.ReplaceAll(changed, "\n", "\r\n")}, ""},
		"no such file":        {five, folder{"/m/y.go": poem}, nil, "x.go: there is no such file below /m or /r"},
		"a new file":          {"diff --git a/n.go b/n.go\nnew file mode 100644\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1,2 @@\n+package n\n+\n", folder{}, folder{"/m/n.go": "package n\n\n"}, ""},
		"a new file is there": {"diff --git a/n.go b/n.go\nnew file mode 100644\n--- /dev/null\n+++ b/n.go\n@@ -0,0 +1 @@\n+package n\n", folder{"/m/n.go": ""}, nil, "it is there already"},
		"a file less":         {"diff --git a/n.go b/n.go\ndeleted file mode 100644\n--- a/n.go\n+++ /dev/null\n@@ -1 +0,0 @@\n-package n\n", folder{"/m/n.go": "package n\n"}, folder{"/m/n.go": ""}, ""},
		"a rename":            {"diff --git a/o.go b/n.go\nsimilarity index 90%\nrename from o.go\nrename to n.go\n--- a/o.go\n+++ b/n.go\n@@ -1 +1 @@\n-package o\n+package n\n", folder{"/m/o.go": "package o\n"}, folder{"/m/o.go": "", "/m/n.go": "package n\n"}, ""},
		"no end of line":      {"--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,2 @@\n one\n-two\n\\ No newline at end of file\n+2\n", folder{"/m/x.go": "one\ntwo"}, folder{"/m/x.go": "one\n2\n"}, ""},
		"a git header beside none": {five + "diff --git a/d/n.go b/d/n.go\nnew file mode 100644\n--- /dev/null\n+++ b/d/n.go\n@@ -0,0 +1 @@\n+package n\n",
			folder{"/m/x.go": poem}, folder{"/m/x.go": changed, "/m/d/n.go": "package n\n"}, ""},
		"two hunks": {"--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,3 @@\n one\n+one and a half\n two\n@@ -8,2 +9,1 @@\n eight\n-nine\n", folder{"/m/x.go": "zero\n" + poem},
			folder{"/m/x.go": "zero\none\none and a half\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := Parse([]byte(c.diff))
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Apply(c.have.read, "/m", "/r")
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("error %v, want %q", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for file, want := range c.want {
				if text, ok := got[filepath.FromSlash(file)]; !ok || string(text) != want || (text == nil) != (want == "") {
					t.Errorf("%s: %q, want %q", file, text, want)
				}
			}
			if len(got) != len(c.want) {
				t.Errorf("%d files, want %d", len(got), len(c.want))
			}
		})
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"":          "it holds no unified diff",
		"no diff\n": "it holds no unified diff",
		five[:60]:   "header miscounts lines",
		"--- a/../../x\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b\n":                      "may only name files below",
		"--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n":                            "may only name files below",
		"diff --git a/o.go b/n.go\nrename from ongo\nrename to .":                  "may only name files below",
		"--- /etc/x\n+++ /etc/x\n@@ -1 +1 @@\n-a\n+b\n":                            "may only name files below",
		"diff --git a/x b/x\nindex 1..2 100644\nBinary files a/x and b/x differ\n": "it is a binary file",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// A diff of two texts makes the first into the second, also where lines were added
// above it meanwhile.
func TestApplyUndoesDiff(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n", "e\n"}), 1, 30)
	rapid.Check(t, func(t *rapid.T) {
		before, after := strings.Join(lines.Draw(t, "before"), ""), strings.Join(lines.Draw(t, "after"), "")
		text := diff.Diff("a/x", []byte(before), "b/x", []byte(after))
		if text == nil {
			return
		}
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Apply(folder{"/m/x": before}.read, "/m")
		if err != nil || string(got[filepath.FromSlash("/m/x")]) != after {
			t.Fatalf("%q, %v; want %q by\n%s", got[filepath.FromSlash("/m/x")], err, after, text)
		}
	})
}

func FuzzApply(f *testing.F) {
	f.Add([]byte(five), []byte(poem))
	f.Add([]byte("diff --git a/o.go b/n.go\nrename from o.go\nrename to n.go\n"), []byte("x"))
	f.Fuzz(func(t *testing.T, text, file []byte) {
		p, err := Parse(text)
		if err != nil {
			return
		}
		got, err := p.Apply(func(name string) ([]byte, error) {
			if strings.HasSuffix(name, "new.go") {
				return nil, fs.ErrNotExist
			}
			return file, nil
		}, "/m")
		if err != nil && errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for name := range got {
			if !strings.HasPrefix(filepath.ToSlash(name), "/m/") {
				t.Fatalf("%q is not below the root", name)
			}
		}
	})
}

// A line that a hunk takes away and adds again elsewhere was moved.
func TestAdded(t *testing.T) {
	p, err := Parse([]byte("--- a/x.go\n+++ b/x.go\n@@ -1,3 +1,6 @@\n a\n-\ttext := f(v)\n+\ttext, ok := v.(string)\n+\tif !ok {\n+\t\ttext = f(v)\n+\t}\n c\n"))
	if err != nil {
		t.Fatal(err)
	}
	for moved, want := range map[bool]string{true: "[2 3 4]", false: "[2 3]"} {
		if got := fmt.Sprint(p.Added(moved)["x.go"]); got != want {
			t.Errorf("with moved lines %v: %s, want %s", moved, got, want)
		}
	}
}
