package fix

import (
	"context"
	"fmt"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/heapwright/heapwright/internal/patch"
)

// otherBuild is a way to build a package that compiles files which this machine's build leaves
// out. A change may break it although all tests pass here.
type otherBuild struct {
	goos, goarch string
	tags         []string
}

func (b otherBuild) String() string {
	var parts []string
	if b.goos != build.Default.GOOS || b.goarch != build.Default.GOARCH {
		parts = append(parts, b.goos+"/"+b.goarch)
	}
	if len(b.tags) > 0 {
		parts = append(parts, "tags "+strings.Join(b.tags, ","))
	}
	return strings.Join(parts, " with ")
}

// maxBuilds bounds the other builds that are type-checked, each of which takes some seconds.
const maxBuilds = 6

var (
	systems = strings.Fields("aix android darwin dragonfly freebsd illumos ios js linux netbsd " +
		"openbsd plan9 solaris wasip1 windows")
	machines = strings.Fields("386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x wasm")
)

// otherBuilds type-checks the changed packages, which are in the copy, in the builds of files that
// are left out here. The step fails if one has an error that it does not have without the change.
// It has no name if there are no such builds.
func (w *workTree) otherBuilds(
	ctx context.Context, timeout time.Duration, texts map[string][]byte,
) (s Step, err error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	began, left := time.Now(), maxBuilds
	s.Passed = true
	var passed []string
	for _, dir := range folders(texts) {
		for _, b := range buildsOf(dir) {
			if left--; left < 0 {
				break
			}
			after := b.errors(ctx, w.root, dir)
			if ctx.Err() != nil {
				break
			}
			if len(after) > 0 {
				// The copy may lack modules of the user's workspace, so the original is checked there.
				w.restore(texts)
				before := b.errors(ctx, w.root, dir)
				if err := w.write(texts); err != nil {
					return s, err
				}
				if len(before) == 0 && ctx.Err() == nil {
					s.Passed = false
					first := strings.ReplaceAll(after[0], w.root+string(filepath.Separator), "")
					passed = []string{b.String() + ": " + first}
					break
				}
				continue // it is broken anyway, or needs C
			}
			passed = append(passed, b.String())
		}
	}
	if len(passed) > 0 {
		s.Name, s.Command = "other builds", "type-check"
		s.Output, s.Seconds = strings.Join(passed, ", "), time.Since(began).Seconds()
	}
	return s, nil
}

// buildsOf returns a build for each file of a folder that this build leaves out.
func buildsOf(dir string) (all []otherBuild) {
	names, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is valid, unless the folder's name is odd
	pkg := ""
	var left []string
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if match, err := build.Default.MatchFile(dir, filepath.Base(name)); err == nil && match {
			pkg = packageName(name)
		} else if err == nil {
			left = append(left, name)
		}
	}
	for _, name := range left {
		if packageName(name) != pkg {
			continue // such as a program that "go run" starts
		}
		covered := slices.ContainsFunc(all, func(b otherBuild) bool { return b.has(dir, name) })
		if b, ok := buildOf(dir, name); ok && !covered {
			all = append(all, b)
		}
	}
	return all
}

func packageName(file string) string {
	text, err := patch.Read(file)
	if err != nil {
		return ""
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly)
	if err != nil {
		return ""
	}
	return f.Name.Name
}

// has reports whether the build compiles a file.
func (b otherBuild) has(dir, name string) bool {
	c := build.Default
	c.GOOS, c.GOARCH, c.BuildTags, c.CgoEnabled = b.goos, b.goarch, b.tags, false
	match, err := c.MatchFile(dir, filepath.Base(name))
	return err == nil && match
}

// buildOf looks for a build that compiles a file: among the systems and machines in its name and
// constraint, without further tags, with each of them, and with all.
func buildOf(dir, name string) (b otherBuild, ok bool) {
	words := strings.Split(strings.TrimSuffix(filepath.Base(name), ".go"), "_")
	if text, err := patch.Read(name); err == nil {
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "package ") {
				break
			}
			if expr, err := constraint.Parse(strings.TrimSpace(line)); err == nil {
				words = append(words, tagsIn(expr)...)
			}
		}
	}
	goos, goarch, sets := []string{build.Default.GOOS}, []string{build.Default.GOARCH}, [][]string{nil}
	var tags []string
	for i, word := range words {
		switch {
		case slices.Contains(systems, word):
			goos = append(goos, word)
		case slices.Contains(machines, word):
			goarch = append(goarch, word)
		case i > 0 && word != "cgo" && !strings.HasPrefix(word, "go1."):
			tags = append(tags, word)
			sets = append(sets, []string{word})
		}
	}
	// A constraint such as !linux && !darwin excludes the systems that it names.
	goos, goarch = append(goos, "windows", "freebsd", "js"), append(goarch, "arm64", "386", "wasm")
	for _, set := range append(sets, tags) {
		for _, system := range goos {
			for _, machine := range goarch {
				b := otherBuild{system, machine, set}
				if valid := (system == "js" || system == "wasip1") == (machine == "wasm"); valid && b.has(dir, name) {
					return b, true
				}
			}
		}
	}
	return b, false
}

// tagsIn returns the tags of a constraint.
func tagsIn(x constraint.Expr) []string {
	switch x := x.(type) {
	case *constraint.TagExpr:
		return []string{x.Tag}
	case *constraint.NotExpr:
		return tagsIn(x.X)
	case *constraint.AndExpr:
		return append(tagsIn(x.X), tagsIn(x.Y)...)
	case *constraint.OrExpr:
		return append(tagsIn(x.X), tagsIn(x.Y)...)
	}
	return nil
}

// errors type-checks a package from its source, so that nothing is compiled for another system.
func (b otherBuild) errors(ctx context.Context, root, dir string) (all []string) {
	env := append(os.Environ(), "GOOS="+b.goos, "GOARCH="+b.goarch, "CGO_ENABLED=0", "GOPACKAGESDRIVER=off")
	tags, experiments := []string{}, []string{}
	for _, tag := range b.tags {
		if name, ok := strings.CutPrefix(tag, "goexperiment."); ok {
			experiments = append(experiments, name)
		} else {
			tags = append(tags, tag)
		}
	}
	if len(experiments) > 0 {
		env = append(env, "GOEXPERIMENT="+strings.Join(experiments, ","))
	}
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Dir: root, Env: env, BuildFlags: []string{"-tags=" + strings.Join(tags, ",")},
		Mode: packages.LoadAllSyntax,
	}, dir)
	if err != nil {
		return []string{fmt.Sprint(err)}
	}
	for _, pkg := range loaded {
		for _, e := range pkg.Errors {
			all = append(all, e.Error())
		}
	}
	return all
}
