// Package patch applies unified diffs to the text of files. It reads diffs of git, diff and vet
// -fix.
//
// The stance: a hunk belongs where its context is. It may move, and one or two lines of context
// at its ends may differ, as with patch -F2. If a hunk still does not fit, the error names it.
// No file is written.
package patch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/heapwright/heapwright/internal/input"
)

// MaxSize bounds a diff, and each file that it changes, in bytes.
const MaxSize = 64 << 20

// Patch is a unified diff.
type Patch struct {
	files []*gitdiff.File
}

// ErrOutside is the error for a diff that names a file above its folder.
var ErrOutside = errors.New("a diff may only name files below the folder that it is for")

// Parse reads a diff. Text before and between its files, such as a commit message, is
// ignored.
func Parse(text []byte) (*Patch, error) {
	files, _, err := gitdiff.Parse(bytes.NewReader(text))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "gitdiff: "))
	}
	if len(files) == 0 {
		return nil, errors.New("it holds no unified diff: make one with git diff or diff -u")
	}
	for _, f := range files {
		for _, name := range []string{f.OldName, f.NewName} {
			// A name with dots in it could lead out once its first element is gone.
			if name != "" && (name == "." || !fs.ValidPath(name) || !filepath.IsLocal(filepath.FromSlash(name))) {
				return nil, fmt.Errorf("%s: %w", name, ErrOutside)
			}
		}
		if f.IsBinary {
			return nil, fmt.Errorf("%s: it is a binary file, and only text can be changed", f.NewName)
		}
	}
	return &Patch{files}, nil
}

// Names returns the names of the changed files as the diff writes them.
func (p *Patch) Names() []string {
	var all []string
	for _, f := range p.files {
		name := f.NewName
		if f.IsDelete {
			name = f.OldName
		}
		all = append(all, name)
	}
	return all
}

// MakesLink and MakesFile are the texts of [Patch.Unusual] for a symbolic link and for a new
// regular file.
const MakesLink, MakesFile = "makes it a symbolic link", "makes it"

// gitLink is the mode of symbolic links in git, gitType masks the type of a file.
const gitLink, gitType = 0o120000, 0o170000

// Unusual returns the changes that are no edits of text, by the names of the files. They
// complete a sentence that begins with the name.
func (p *Patch) Unusual() map[string]string {
	all := map[string]string{}
	for _, f := range p.files {
		switch {
		case f.NewMode&gitType == gitLink || f.OldMode&gitType == gitLink:
			all[cmp.Or(f.NewName, f.OldName)] = MakesLink
		case f.IsNew:
			all[f.NewName] = MakesFile
		case f.IsDelete:
			all[f.OldName] = "removes it"
		case f.IsRename, f.IsCopy:
			all[f.OldName] = "renames or copies it"
		case f.NewMode != 0 && f.NewMode != f.OldMode:
			all[f.NewName] = "changes its mode"
		}
	}
	return all
}

// Reader returns the text of a file, or fs.ErrNotExist if there is none.
type Reader func(file string) ([]byte, error)

// Read reads a regular file.
func Read(file string) ([]byte, error) { return input.ReadRegular(file, MaxSize) }

// Added returns the numbers of the lines that the diff adds, by the new name of their
// file, without the prefix of git. A closing brace does not count. Without moved, neither does
// a line that the same hunk takes away elsewhere: with another indentation, or with := where
// it now has =.
func (p *Patch) Added(moved bool) map[string][]int {
	all := map[string][]int{}
	for _, f := range p.files {
		name := strings.TrimPrefix(f.NewName, "b/")
		for _, fragment := range f.TextFragments {
			at, taken := int(fragment.NewPosition), map[string]int{}
			for _, l := range fragment.Lines {
				if l.Op == gitdiff.OpDelete && !moved {
					taken[statement(l.Line)]++
				}
			}
			for _, l := range fragment.Lines {
				if l.Op == gitdiff.OpAdd {
					switch text := statement(l.Line); {
					case taken[text] > 0:
						taken[text]--
					case text != "}":
						all[name] = append(all[name], at)
					}
				}
				if l.Op != gitdiff.OpDelete {
					at++
				}
			}
		}
	}
	return all
}

// statement returns a line as it is compared with others.
func statement(line string) string {
	return strings.Replace(strings.TrimSpace(line), " := ", " = ", 1)
}

// Apply returns the texts of the changed files by absolute name, nil for a file that is
// removed. The names of the diff are relative to the first of the roots below which all
// of its files are, as they are or without their first element, as with patch -p1.
func (p *Patch) Apply(read Reader, roots ...string) (map[string][]byte, error) {
	missing := ""
	for _, root := range roots {
		places, name := p.places(read, root)
		if name == "" {
			return p.applyTo(read, root, places)
		}
		if missing == "" {
			missing = name
		}
	}
	return nil, fmt.Errorf("%s: there is no such file below %s; make the diff in the target's repository or module",
		missing, strings.Join(roots, " or "))
}

// A pair has the present and the new path of a file, relative to a root.
type pair struct{ from, to string }

// places returns the paths of the diff's files below a root, and the name of a file that is
// missing there.
func (p *Patch) places(read Reader, root string) (all []pair, missing string) {
	for _, f := range p.files {
		if f.IsNew {
			name := strings.TrimPrefix(f.NewName, "b/")
			all = append(all, pair{name, name})
			continue
		}
		strip, found := 0, false
		for ; strip < 2 && !found; strip++ {
			_, err := read(filepath.Join(root, filepath.FromSlash(stripped(f.OldName, strip))))
			found = !errors.Is(err, fs.ErrNotExist) && !isFolderMissing(err)
		}
		if !found {
			return nil, f.OldName
		}
		all = append(all, pair{stripped(f.OldName, strip-1), stripped(f.NewName, strip-1)})
	}
	return all, ""
}

func isFolderMissing(err error) bool {
	return err != nil && strings.Contains(err.Error(), "not a directory")
}

func stripped(name string, strip int) string {
	if _, rest, ok := strings.Cut(name, "/"); ok && strip == 1 {
		return rest
	}
	return name
}

func (p *Patch) applyTo(read Reader, root string, places []pair) (map[string][]byte, error) {
	out := map[string][]byte{}
	for i, f := range p.files {
		from := filepath.Join(root, filepath.FromSlash(places[i].from))
		to := filepath.Join(root, filepath.FromSlash(places[i].to))
		before, err := read(from)
		switch {
		case f.IsNew && err == nil:
			return nil, fmt.Errorf("%s: the diff makes this file, and it is there already", places[i].to)
		case f.IsNew:
			before = nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", places[i].from, reason(err))
		case f.IsDelete:
			out[from] = nil
			continue
		case f.IsRename:
			out[from] = nil
		}
		after, err := apply(before, f.TextFragments)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", places[i].from, err)
		}
		out[to] = after
	}
	return out, nil
}

// reason returns an error without the name of the file.
func reason(err error) error {
	var of *os.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
