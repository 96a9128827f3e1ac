package source

import (
	"archive/zip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	librarySource = `package lib

func Count(text string) map[byte]int {
	m := map[byte]int{}
	for _, c := range []byte(text) {
		m[c]++
	}
	return m
}
`
	libraryMod  = "module example.org/lib\n\ngo 1.20\n"
	callSource  = "package main\n\nimport \"example.org/lib/in\"\n\nfunc main() { println(len(in.Count(\"a\"))) }\n"
	callMod     = "module ex.com/x\n\ngo 1.24\n\nrequire example.org/lib v1.0.0\n"
	replacement = "\nreplace example.org/lib => ./lib\n"
)

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// proxy writes a file proxy that has the library, and returns the environment of
// a go command that uses nothing else.
func proxy(t *testing.T, dir string) []string {
	t.Helper()
	at := "proxy/example.org/lib/@v/"
	write(t, dir, map[string]string{at + "list": "v1.0.0\nv1.1.0\n"})
	for _, v := range []string{"v1.0.0", "v1.1.0"} {
		write(t, dir, map[string]string{at + v + ".info": `{"Version":"` + v + `"}`, at + v + ".mod": libraryMod})
		f, err := os.Create(filepath.Join(dir, filepath.FromSlash(at+v+".zip")))
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for name, text := range map[string]string{"go.mod": libraryMod, "in/lib.go": strings.Replace(librarySource, "package lib", "package in", 1)} {
			w, err := z.Create("example.org/lib@" + v + "/" + name)
			if err == nil {
				_, err = w.Write([]byte(text))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return append(os.Environ(), "GOPROXY=file://"+filepath.ToSlash(filepath.Join(dir, "proxy")), "GOSUMDB=off", "GOWORK=off",
		"GOMODCACHE="+filepath.Join(dir, "cache"), "GOFLAGS=-mod=mod -modcacherw")
}

// A line of a dependency is read and compiled wherever the go command has it,
// under each name that profiles use for its file.
func TestStudyDependencies(t *testing.T) {
	offline := append(os.Environ(), "GOPROXY=off", "GOFLAGS=", "GOWORK=")
	in := strings.Replace(librarySource, "package lib", "package in", 1)
	local := map[string]string{"main.go": callSource, "lib/go.mod": libraryMod, "lib/in/lib.go": in}
	for name, test := range map[string]struct {
		files   map[string]string
		proxied bool
		trim    bool
		version string
	}{
		"replaced":  {files: map[string]string{"go.mod": callMod + replacement}},
		"trimmed":   {files: map[string]string{"go.mod": callMod + replacement}, trim: true},
		"workspace": {files: map[string]string{"go.mod": callMod, "go.work": "go 1.24\n\nuse .\n" + replacement}},
		"vendored": {files: map[string]string{"go.mod": callMod, "vendor/example.org/lib/in/lib.go": in,
			"vendor/modules.txt": "# example.org/lib v1.0.0\n## explicit; go 1.20\nexample.org/lib/in\n"}, version: "v1.0.0"},
		"cached": {files: map[string]string{"go.mod": callMod}, proxied: true, version: "v1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			write(t, dir, local)
			write(t, dir, test.files)
			o := Options{Dir: dir, Env: slices.Clone(offline)}
			if test.proxied {
				o.Env = proxy(t, dir)
			}
			if test.trim {
				o.Env = append(o.Env, "GOFLAGS=-trimpath")
			}
			x, err := Open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			if err := x.Resolve(t.Context(), []string{"example.org/lib/in", "example.org/unknown", "fmt", "ex.com/x"}); err != nil {
				t.Fatal(err)
			}
			const function = "example.org/lib/in.Count"
			for _, file := range []string{"/elsewhere/vendor/example.org/lib/in/lib.go", "example.org/lib@v1.0.0/in/lib.go"} {
				if m, at, ok := x.Dependency(function, file); !ok || at != "in/lib.go" || m != (Module{"example.org/lib", test.version}) {
					t.Errorf("%s is %s of %v, %v", file, at, m, ok)
				}
			}
			const file = "example.org/lib@v1.0.0/in/lib.go"
			if x.Owns("main.main.Count.func1", file) {
				t.Error("a closure of the library that is inlined in main is the program's own")
			}
			if _, _, ok := x.Dependency("ex.com/x_test.BenchmarkCount.Count.func1", file); !ok {
				t.Error("a closure that is inlined in a test is not of the library")
			}
			if err := x.Study(t.Context(), []Place{{function, file, 4}, {"main.main", "ex.com/x/main.go", 5}}); err != nil {
				t.Fatal(err)
			}
			if len(x.Notes()) > 0 {
				t.Error(x.Notes())
			}
			if line, _ := x.Line(file, 4); line != "m := map[byte]int{}" {
				t.Errorf("the line is %q", line)
			}
			if e := x.Escapes(file, 4); len(e) != 1 || !strings.Contains(e[0].Reason, "returned") {
				t.Errorf("the compiler says %v", e)
			}
			if a := x.Allocations(file, 4); len(a) != 1 || a[0].Kind != MakeMap {
				t.Errorf("the syntax is %v", a)
			}
			if !x.Compiled("ex.com/x/main.go") {
				t.Error("the program's own file was not compiled")
			}
			latest := x.Latest(t.Context(), []string{"example.org/lib"})["example.org/lib"]
			if test.proxied && latest != "v1.1.0" || !test.proxied && latest == "v1.1.0" {
				t.Errorf("the latest version is %q", latest)
			}
		})
	}
}

func TestIncluded(t *testing.T) {
	for _, test := range []struct {
		patterns, pkg string
		want          bool
	}{
		{"example.org/lib", "example.org/lib", true},
		{"example.org/lib", "example.org/lib/in", true},
		{"example.org/lib", "example.org/library", false},
		{"example.org", "example.org/lib", true},
		{"a.b,*.org/lib", "example.org/lib/in", true},
		{"*", "fmt", false},
		{"*", "example.org/lib", true},
		{"", "example.org/lib", false},
	} {
		if x := (&Index{options: Options{Modules: test.patterns}}); x.included(test.pkg) != test.want {
			t.Errorf("%q includes %s: %v", test.patterns, test.pkg, !test.want)
		}
	}
}
