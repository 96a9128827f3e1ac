package fix

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/tools/cover"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// workTree is a copy of the user's module or workspace, in which tests run. An overlay
// would do for that, but not for coverage: with -cover, Go 1.26 compiles the original of
// an overlaid file.
type workTree struct {
	root    string // the copy
	from    string // the original
	scratch string
	changed []string          // import paths of the packages that the last change edits
	imports map[string]string // import path by folder of the copy
}

// copyTree copies a folder but for its repository, the output and links that lead out of it.
func copyTree(ctx context.Context, from, output string) (*workTree, error) {
	scratch, err := result.Scratch()
	if err != nil {
		return nil, err
	}
	w := &workTree{root: filepath.Join(scratch, filepath.Base(from)), from: from, scratch: scratch}
	err = filepath.WalkDir(from, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case e.IsDir() && (e.Name() == ".git" || name == output):
			return fs.SkipDir
		}
		to := filepath.Join(w.root, strings.TrimPrefix(name, from))
		switch {
		case e.IsDir():
			return result.Make(to)
		case e.Type().IsRegular():
			return copyFile(name, to)
		}
		return nil
	})
	if err == nil {
		err = w.reachOut()
	}
	if err != nil {
		w.remove()
		return nil, fmt.Errorf("copying %s, in which the tests are to run: %w", from, err)
	}
	return w, nil
}

// reachOut makes the folders outside of the tree that a go.mod names absolute.
func (w *workTree) reachOut() error {
	name := filepath.Join(w.root, "go.mod")
	text, err := patch.Read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a workspace
	}
	if err != nil {
		return err
	}
	mod, err := modfile.Parse(name, text, nil)
	if err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if r.New.Version == "" && !filepath.IsAbs(r.New.Path) && !filepath.IsLocal(r.New.Path) {
			if err := mod.AddReplace(r.Old.Path, r.Old.Version, filepath.Join(w.from, r.New.Path), ""); err != nil {
				return err
			}
		}
	}
	text, err = mod.Format()
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}

func copyFile(from, to string) error {
	r, err := input.OpenRegular(from)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	w, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	if _, err = io.Copy(w, r); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

func (w *workTree) remove() { os.RemoveAll(w.scratch) }

// apply returns the texts of the changed files in the copy.
func (w *workTree) apply(diff string) (map[string][]byte, error) {
	p, err := patch.Parse([]byte(diff))
	if err != nil {
		return nil, err
	}
	return p.Apply(patch.Read, w.root)
}

func (w *workTree) write(texts map[string][]byte) error {
	for file, text := range texts {
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// restore copies the originals again.
func (w *workTree) restore(texts map[string][]byte) {
	for file := range texts {
		os.Remove(file)
		_ = copyFile(filepath.Join(w.from, strings.TrimPrefix(file, w.root)), file) // the next step that needs it fails
	}
}

// affected returns the packages of the main modules that the files are in or that
// depend on those, and whether any of them has tests.
func (w *workTree) affected(ctx context.Context, texts map[string][]byte) (packages []string, tested bool, err error) {
	type pkg struct {
		ImportPath, Dir           string
		Deps                      []string
		TestGoFiles, XTestGoFiles []string
		TestImports, XTestImports []string
	}
	dirs := map[string]bool{}
	for file := range texts {
		dirs[filepath.Dir(file)] = true
	}
	patterns := []string{"./..."}
	if modules, err := subprocess.Output(ctx, w.root, "go", "list", "-m", "-f", "{{.Dir}}/..."); err == nil {
		patterns = strings.Fields(string(modules))
	}
	fields := "-json=ImportPath,Dir,Deps,TestGoFiles,XTestGoFiles,TestImports,XTestImports"
	out, err := subprocess.Output(ctx, w.root, "go", slices.Concat([]string{"list", "-e", fields}, patterns)...)
	if err != nil {
		return nil, false, err
	}
	all, err := subprocess.Values[pkg](out)
	if err != nil {
		return nil, false, err
	}
	w.changed, w.imports = nil, map[string]string{}
	for _, p := range all {
		w.imports[p.Dir] = p.ImportPath
		if dirs[p.Dir] {
			w.changed = append(w.changed, p.ImportPath)
		}
	}
	reaches := map[string]bool{}
	for _, p := range all {
		reaches[p.ImportPath] = slices.ContainsFunc(append(p.Deps, p.ImportPath), func(d string) bool {
			return slices.Contains(w.changed, d)
		})
	}
	for _, p := range all {
		imports := slices.Concat(p.TestImports, p.XTestImports)
		if reaches[p.ImportPath] || slices.ContainsFunc(imports, func(i string) bool { return reaches[i] }) {
			packages = append(packages, p.ImportPath)
			tested = tested || len(p.TestGoFiles)+len(p.XTestGoFiles) > 0
		}
	}
	return packages, tested, nil
}

// run runs the go command in the copy, and tests with it.
func (w *workTree) run(ctx context.Context, most time.Duration, name string, args ...string) Step {
	began, errs := time.Now(), &head{most: maxComplaint}
	out, err := process.Run(ctx, process.Command{
		Path: "go", Args: args, Dir: w.root, Timeout: most, StdoutLimit: maxComplaint, Stderr: errs,
	})
	s := Step{
		Name: name, Command: "go " + strings.Join(args, " "), Passed: err == nil && out.Failure == "",
		Seconds: time.Since(began).Seconds(),
	}
	switch {
	case s.Passed:
	case err != nil:
		s.Output = err.Error()
	case out.TimedOut:
		s.Output = fmt.Sprintf("it took longer than %v", most)
	default:
		s.Output = cmp.Or(failing(out.Stdout, errs.text), out.Failure)
		if out.Signal != 0 {
			s.Output = out.Failure + "\n" + s.Output
		}
	}
	return s
}

// maxComplaint bounds the output of the go command that is kept, in bytes.
const maxComplaint = 1 << 20

// head keeps the beginning of a stream.
type head struct {
	most int
	text []byte
}

func (h *head) Write(p []byte) (int, error) {
	h.text = append(h.text, p[:min(len(p), h.most-len(h.text))]...)
	return len(p), nil
}

// failing returns the lines of output about failures.
func failing(out, errs []byte) string {
	var kept []string
	for line := range strings.Lines(string(bytes.Join([][]byte{errs, out}, []byte("\n")))) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !strings.HasPrefix(line, "ok ") && !strings.Contains(line, "[no test files]") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept[:min(len(kept), 40)], "\n")
}

// uncovered names a changed line that no test runs, "" if there is none. Lines that hold
// no statement do not count.
func (w *workTree) uncovered(profile, diff string) string {
	blocks, err := cover.ParseProfiles(profile)
	if err != nil {
		return "the changed lines: " + err.Error()
	}
	p, err := patch.Parse([]byte(diff))
	if err != nil {
		return err.Error()
	}
	ran, known := false, false
	for name, lines := range p.Added() {
		file := filepath.Join(w.root, filepath.FromSlash(name))
		for _, b := range blocks {
			if b.FileName != w.imports[filepath.Dir(file)]+"/"+filepath.Base(file) {
				continue
			}
			for _, line := range lines {
				runs, is := covered(b, line)
				known, ran = known || is, ran || runs
				if is && !runs {
					return fmt.Sprintf("line %d of %s", line, name)
				}
			}
		}
	}
	if known && !ran {
		return "the changed lines"
	}
	return ""
}

// covered reports whether a line is in a block that ran, and whether it is in any.
func covered(p *cover.Profile, line int) (runs, known bool) {
	for _, b := range p.Blocks {
		if b.StartLine <= line && line <= b.EndLine && b.NumStmt > 0 {
			known = true
			runs = runs || b.Count > 0
		}
	}
	return runs, known
}

func sorted(texts map[string][]byte) []string { return slices.Sorted(maps.Keys(texts)) }
