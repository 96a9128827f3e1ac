package flame

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/internal/flame/flametest"
)

func writeNowhere(write func(*Tree, io.Writer) error) func(*Tree) error {
	return func(t *Tree) error { return write(t, io.Discard) }
}

// TestHostileNames looks for the harm of flametest.HostileName in a file. Its effect in a
// browser is tested there.
func TestHostileNames(t *testing.T) {
	p := flametest.New("n/"+"<b>", flametest.Stack("main.main > "+flametest.HostileName, 1))
	p.SampleType[0].Type = flametest.HostileName
	p.Function[1].Filename = flametest.HostileName
	tree := newTree(t, flametest.Decode(t, p)[0], Options{Title: flametest.HostileName})
	for name, write := range map[string]func(*Tree, io.Writer) error{"svg": (*Tree).WriteSVG, "html": (*Tree).WriteHTML} {
		var b bytes.Buffer
		if err := write(tree, &b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		if name == "html" {
			text += unpacked(t, text)
		}
		for _, bad := range []string{"<script>alert", "<img", "\x1b", "\u202e", "\u2028", "\x00", "\xff"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
	}
}

// unpacked returns the data of a page as JSON.
func unpacked(t *testing.T, page string) string {
	t.Helper()
	m := regexp.MustCompile(`class="flame-data">([^<]*)<`).FindStringSubmatch(page)
	if m == nil {
		t.Fatal("the page has no data")
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(m[1])))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func FuzzSVGIsWellFormed(f *testing.F) {
	f.Add(flametest.HostileName, "bytes")
	f.Add("runtime.mallocgc", "nanoseconds")
	f.Fuzz(func(t *testing.T, name, unit string) {
		p := flametest.New("n/count", flametest.Stack("main.main > f", 1<<40))
		p.Function[1].Name, p.SampleType[0].Unit, p.SampleType[0].Type = name, unit, name
		tree, err := New(flametest.Decode(t, p)[0], Options{Title: name})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := tree.WriteSVG(&b); err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(&b); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestLabels(t *testing.T) {
	for n, want := range map[int]string{2: "", 4: "(*c…", 13: "(*conn).serve", 18: "http.(*conn).serve", 22: "net/http.(*conn).serve"} {
		if got := label("net/http.(*conn).serve", n); got != want {
			t.Errorf("label of %d signs: %q, want %q", n, got, want)
		}
	}
}

func TestAmount(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{-1536, "bytes", "-1.50 KiB"}, {5.04e9, "nanoseconds", "5.04 s"}, {18_234, "count", "18.2k"}, {12, "widgets\n", "12 widgets␊"},
	} {
		if got := amount(c.v, c.unit); got != c.want {
			t.Errorf("amount(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

// TestContrast holds every fill to the ratio that WCAG 2.2, 1.4.3 asks of text.
func TestContrast(t *testing.T) {
	luminance := func(c hsl) float64 {
		sum := 0.0
		for i, v := range c.rgb() {
			if v <= 0.04045 {
				v /= 12.92
			} else {
				v = math.Pow((v+0.055)/1.055, 2.4)
			}
			sum += v * []float64{0.2126, 0.7152, 0.0722}[i]
		}
		return sum
	}
	for _, c := range []struct {
		name string
		of   theme
		text hsl
	}{{"light", light, hsl{215, 18, 13}}, {"dark", dark, hsl{210, 14, 95}}} {
		fills := append(append(append([]hsl{}, c.of.tones[:]...), c.of.classes...), c.of.changes[:]...)
		for _, fill := range fills {
			a, b := luminance(fill), luminance(c.text)
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 4.5 {
				t.Errorf("%s: text on %s has a contrast of %.1f", c.name, fill.hex(), ratio)
			}
		}
	}
}

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write("tree/pkg/a.go", "package pkg")
	secret := write("secret.go", "package secret")
	key := write("id_rsa", "key")
	source := Files(filepath.Join(dir, "tree"))
	for file, want := range map[string]string{
		"example.com/m/pkg/a.go": "package pkg", "/build/m@v1/pkg/a.go": "package pkg", `C:\build\pkg\a.go`: "package pkg",
		"../secret.go": "", "pkg/../../secret.go": "", "": "", "pkg": "", "b.go": "",
		secret: "package secret", key: "",
		"//elsewhere/share/a.go/x.go": "", strings.Repeat("/a", 1<<19) + "/pkg/a.go": "",
	} {
		if got, ok := source(file); got != want || ok != (want != "") {
			t.Errorf("%.50s: %q, %v; want %q", file, got, ok, want)
		}
	}
	if err := os.Symlink(secret, filepath.Join(dir, "tree", "link.go")); err == nil {
		if got, ok := source("link.go"); ok {
			t.Errorf("a link led out of the folder: %q", got)
		}
	}
}

func TestExcerpts(t *testing.T) {
	lines := make([]string, 30)
	for i := range lines {
		lines[i] = "\tcode \x1b[31m"
	}
	lines[2] = "func handle() {"
	files := map[string]string{"/src/app/main.go": strings.Join(lines, "\n"), "encoding/json/code.go": "package other"}
	tree := newTree(t, flametest.Decode(t, flametest.Heap())[0], Options{Source: func(file string) (string, bool) {
		text, ok := files[file]
		return text, ok
	}})
	shown := map[string]int{}
	for _, e := range tree.excerpt {
		shown[tree.Frames[e.frame].Name]++
		if strings.ContainsAny(e.text, "\x1b\t") {
			t.Errorf("line %d is shown as %q", e.line, e.text)
		}
	}
	// handle is mentioned in its file; copy is not, and json's file is another.
	if len(shown) != 1 || shown["main.handle"] != 7 {
		t.Errorf("lines by function: %v, want 7 of main.handle", shown)
	}
}
