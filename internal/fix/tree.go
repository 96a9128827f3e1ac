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

	"github.com/heapwright/heapwright/internal/inject"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// A workTree is a copy of the user's module or workspace, in which tests run. An overlay
// would do for that, but not for coverage: with -cover, Go 1.26 compiles the original of
// an overlaid file.
type workTree struct {
	root    string // the folder of the copy
	from    string // the original
	scratch string // the folder that holds the copy and temporary files
}

// copyTree copies a folder without its repository, the output of this run, and files that
// are not regular, such as links.
func copyTree(ctx context.Context, from, output string) (*workTree, error) {
	output, err := filepath.Abs(output)
	if err != nil {
		return nil, err
	}
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
		err = w.fixReplacements()
	}
	if err != nil {
		w.remove()
		return nil, fmt.Errorf("copying %s, in which the tests are to run: %w", from, err)
	}
	return w, nil
}

// fixReplacements makes paths in go.mod that lead out of the tree absolute, because they
// would lead elsewhere from the copy.
func (w *workTree) fixReplacements() error {
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

// copyFile copies a regular file. The copy is writable, so that a change can replace it.
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
func (w *workTree) apply(ctx context.Context, diff string) (map[string][]byte, error) {
	p, err := patch.Parse([]byte(diff))
	if err != nil {
		return nil, err
	}
	texts, err := p.Apply(patch.Read, w.root)
	if err != nil || !inject.UsesArena(texts) {
		return texts, err
	}
	if _, err := subprocess.Output(ctx, w.root, "go", "list", "-m", inject.ArenaModule); err == nil {
		return texts, nil
	}
	return texts, inject.LayArena(texts, patch.Read) // it is not required yet
}

func (w *workTree) write(texts map[string][]byte) error {
	for file, text := range texts {
		if err := result.Make(filepath.Dir(file)); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// restore copies the originals again, and removes new folders. A file that cannot be copied is
// missing, and the next step that needs it fails.
func (w *workTree) restore(texts map[string][]byte) {
	for file := range texts {
		os.Remove(file)
		for dir := filepath.Dir(file); dir != w.root && isNew(w.original(dir)); dir = filepath.Dir(dir) {
			if os.Remove(dir) != nil {
				break // other files are still there
			}
		}
		_ = copyFile(w.original(file), file)
	}
}

// original returns the name of a file of the copy in the user's tree.
func (w *workTree) original(file string) string {
	return filepath.Join(w.from, strings.TrimPrefix(file, w.root))
}

// A reach describes which code a change can affect.
type reach struct {
	packages []string          // the changed packages, and packages of the main modules that depend on them
	changed  []string          // the changed packages
	tested   bool              // whether any of the packages has tests
	imports  map[string]string // import path by folder, of all packages in the main modules
}

// affected returns the reach of a change of files.
func (w *workTree) affected(ctx context.Context, texts map[string][]byte) (*reach, error) {
	type pkg struct {
		ImportPath, Dir           string
		Deps                      []string
		TestGoFiles, XTestGoFiles []string
		TestImports, XTestImports []string
	}
	// In a workspace, ./... means only the packages of one module, so each module is a
	// pattern of its own.
	dirs, made := map[string]bool{}, map[string]bool{}
	for file := range texts {
		dir := filepath.Dir(file)
		dirs[dir] = true
		if isNew(dir) {
			made[dir] = true
		}
	}
	if len(made) > 0 { // a new package is only listed where it is
		if err := w.write(texts); err != nil {
			return nil, err
		}
		defer w.restore(texts)
	}
	patterns := []string{"./..."}
	if modules, err := subprocess.Output(ctx, w.root, "go", "list", "-m", "-f", "{{.Dir}}/..."); err == nil {
		patterns = strings.Fields(string(modules))
	}
	fields := "-json=ImportPath,Dir,Deps,TestGoFiles,XTestGoFiles,TestImports,XTestImports"
	out, err := subprocess.Output(ctx, w.root, "go", slices.Concat([]string{"list", "-e", fields}, patterns)...)
	if err != nil {
		return nil, err
	}
	all, err := subprocess.Values[pkg](out)
	if err != nil {
		return nil, err
	}
	r := &reach{imports: map[string]string{}}
	for _, p := range all {
		r.imports[p.Dir] = p.ImportPath
		if dirs[p.Dir] {
			r.changed = append(r.changed, p.ImportPath)
		}
	}
	// Deps has no imports of tests. A package whose tests alone import a changed package,
	// or one that depends on it, is affected too.
	depends := map[string]bool{}
	for _, p := range all {
		depends[p.ImportPath] = slices.ContainsFunc(append(p.Deps, p.ImportPath), func(d string) bool {
			return slices.Contains(r.changed, d)
		})
	}
	for _, p := range all {
		imports := slices.Concat(p.TestImports, p.XTestImports)
		if made[p.Dir] {
			continue // without the change, it has no tests that could pass
		}
		if depends[p.ImportPath] || slices.ContainsFunc(imports, func(i string) bool { return depends[i] }) {
			r.packages = append(r.packages, p.ImportPath)
			r.tested = r.tested || len(p.TestGoFiles)+len(p.XTestGoFiles) > 0
		}
	}
	return r, nil
}

// run runs the go command in the copy, for at most the given duration, as the step name of
// a proof.
func (w *workTree) run(ctx context.Context, timeout time.Duration, name string, args ...string) Step {
	s, _ := w.runOutput(ctx, timeout, name, args...)
	return s
}

// runOutput is run, and returns the output of a command that failed by itself.
func (w *workTree) runOutput(
	ctx context.Context, timeout time.Duration, name string, args ...string,
) (s Step, output string) {
	began, stderr := time.Now(), &head{limit: maxOutput}
	out, err := process.Run(ctx, process.Command{
		Path: "go", Args: args, Dir: w.root, Timeout: timeout, StdoutLimit: maxOutput, Stderr: stderr,
	})
	s = Step{
		Name: name, Command: "go " + strings.Join(args, " "), Passed: err == nil && out.Failure == "",
		Seconds: time.Since(began).Seconds(),
	}
	switch {
	case s.Passed:
	case err != nil:
		s.Output = err.Error()
	case out.TimedOut:
		s.Output = fmt.Sprintf("it took longer than %v", timeout)
	default:
		s.Output = cmp.Or(complaints(out.Stdout, stderr.text), out.Failure)
		output = string(stderr.text) + "\n" + string(out.Stdout)
		if out.Signal != 0 {
			s.Output, output = out.Failure+"\n"+s.Output, ""
		}
	}
	return s, output
}

const (
	maxOutput = 1 << 20 // bytes of each stream of the go command that are kept
	maxLines  = 40      // lines of a step's output that a document has: one screen
)

// A head keeps the beginning of a stream.
type head struct {
	limit int // bytes
	text  []byte
}

func (h *head) Write(p []byte) (int, error) {
	h.text = append(h.text, p[:min(len(p), h.limit-len(h.text))]...)
	return len(p), nil
}

// complaints returns output without the lines about packages that passed or have no tests.
func complaints(stdout, stderr []byte) string {
	var kept []string
	for line := range strings.Lines(string(bytes.Join([][]byte{stderr, stdout}, []byte("\n")))) {
		line = strings.TrimRight(line, "\n")
		if line != "" && !strings.HasPrefix(line, "ok ") && !strings.Contains(line, "[no test files]") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// short returns the step with the first lines of its output.
func (s Step) short() Step {
	lines := strings.SplitN(s.Output, "\n", maxLines+1)
	s.Output = strings.Join(lines[:min(len(lines), maxLines)], "\n")
	return s
}

// uncovered names a line that a change adds and that no test runs, by the coverage profile
// of the tree below root. It returns "" if there is none. Lines without a statement do not
// count. Neither does a line that a check moves into a branch, where it does the same as
// before; a proposal may have changed its variables.
func (r *reach) uncovered(root, profile string, c *Change) string {
	files, err := cover.ParseProfiles(profile)
	if err != nil {
		return "the changed lines: " + err.Error()
	}
	p, err := patch.Parse([]byte(c.Patch))
	if err != nil {
		return err.Error()
	}
	for name, lines := range p.Added(c.Check == proposal) {
		file := filepath.Join(root, filepath.FromSlash(name))
		for _, f := range files {
			if f.FileName != r.imports[filepath.Dir(file)]+"/"+filepath.Base(file) {
				continue
			}
			for _, line := range lines {
				if missed(f, line) {
					return fmt.Sprintf("line %d of %s", line, name)
				}
			}
		}
	}
	return ""
}

// missed reports whether a line is in blocks of statements, none of which ran.
func missed(f *cover.Profile, line int) bool {
	statement := false
	for _, b := range f.Blocks {
		if b.StartLine <= line && line <= b.EndLine && b.NumStmt > 0 {
			if b.Count > 0 {
				return false
			}
			statement = true
		}
	}
	return statement
}

// sorted returns the files of texts in order.
func sorted(texts map[string][]byte) []string { return slices.Sorted(maps.Keys(texts)) }
