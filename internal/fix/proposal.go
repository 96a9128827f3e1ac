package fix

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"github.com/heapwright/heapwright/internal/experiment"
	"github.com/heapwright/heapwright/internal/fix/guard"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

const (
	// proposal is the Check of a change that a proposer made.
	proposal = "proposal"
	// maxMemory bounds the memory of a run of proposed code, and of its tests' compilers.
	maxMemory = 4 << 30
	// leastHang is the shortest time after which a run of proposed code is taken for one that
	// never ends. A benchmark run usually takes a fifth of a second.
	leastHang = 10 * time.Second
)

// Proposal is a diff that somebody else made.
type Proposal struct {
	// Root is the folder of the module. The names in Patch are relative to it.
	Root  string
	Patch string
	// Name is the name of the patch's file and of the comparison's folder in the output folder.
	Name    string
	Among   []sample.Key // benchmarks to measure; nil is all
	Allowed []string     // rules of package guard that do not hold
}

// Judge decides on a proposal: the guard first, for nothing of a refused one is built, then
// the comparison and the tests, as for the changes of checks. The comparison is nil if
// nothing was measured. The error is about the machine, not about the proposal.
func (p Plan) Judge(ctx context.Context, q Proposal) (c Change, compared *result.Document, err error) {
	c = Change{Check: proposal, Patch: q.Patch, Outcome: Rejected}
	compared, err = p.decide(ctx, q, &c)
	return c, compared, err
}

// confine returns a context in which proposed code runs.
func confine(ctx context.Context) context.Context {
	return process.Confine(ctx, process.Confinement{Memory: maxMemory})
}

// Unconfined says in which respect this system does not confine proposals, "" if in none.
func Unconfined() string {
	if process.OwnNetwork() {
		return ""
	}
	return "the proposed changes ran with access to the network: " +
		"this system lets no program of yours make a network namespace; use a container where that matters"
}

func (p Plan) decide(ctx context.Context, q Proposal, c *Change) (compared *result.Document, err error) {
	ctx = confine(ctx)
	if c.Refused, err = guard.Check(ctx, q.Root, q.Patch, q.Allowed); err != nil {
		return nil, err
	}
	if len(c.Refused) > 0 {
		c.Why = "refused by the rule " + c.Refused[0].String()
		return nil, nil
	}
	diff, err := p.unambiguous(ctx, q)
	if err != nil {
		return nil, err
	}
	file, dir := q.Name+".diff", filepath.Join(p.OutDir, "patches")
	err = result.ReplaceAll(dir, map[string]func(io.Writer) error{
		file: func(w io.Writer) error { _, err := io.WriteString(w, diff); return err },
	})
	if err != nil {
		return nil, err
	}
	c.Mode = mode.PatchSetting(filepath.Join(dir, file))
	compared, err = p.compare(ctx, comparison{
		folder: filepath.Join("proposals", q.Name), changes: []*Change{c}, among: q.Among, budget: p.Budget,
		hang: max(leastHang, min(p.Budget/2, usualHang)),
	})
	switch {
	case ctx.Err() != nil:
		return compared, ctx.Err()
	case err != nil: // a proposal that ends the program is no fault of the machine
		c.Why = "it could not be measured: " + strings.SplitN(err.Error(), "\n", 2)[0]
		return compared, nil
	}
	c.judge(compared)
	if c.Outcome != Unproven {
		return compared, nil
	}
	w, err := copyTree(ctx, q.Root, p.OutDir)
	if err != nil {
		return compared, err
	}
	defer w.remove()
	return compared, p.prove(ctx, w, c)
}

// usualHang is the time after which experiments stop a run of a benchmark.
const usualHang = 10*experiment.DefaultRunTime + time.Minute

// unambiguous returns a diff whose files are the same for a mode and for the guard. A mode
// looks for them in the repository and the workspace first, and these may have other files
// of the same names.
func (p Plan) unambiguous(ctx context.Context, q Proposal) (string, error) {
	roots, err := target.PatchRoots(ctx, p.Dir)
	if err != nil {
		return "", err
	}
	texts, err := changes(q.Patch, q.Root)
	if err != nil {
		return "", err
	}
	first, err := filepath.EvalSymlinks(roots[0])
	if err != nil {
		return "", err
	}
	for _, diff := range []string{q.Patch, unified(first, texts)} {
		found, err := changes(diff, roots...)
		if err == nil && maps.EqualFunc(found, texts, bytes.Equal) {
			return diff, nil
		}
	}
	return "", fmt.Errorf("%s has other files of the same names as the diff; run in a repository of its own", roots[0])
}

// withoutLinks returns a file's name without symbolic links. The file, and folders of it, may
// be new.
func withoutLinks(file string) (string, error) {
	real, err := filepath.EvalSymlinks(file)
	if !errors.Is(err, fs.ErrNotExist) || filepath.Dir(file) == file {
		return real, err
	}
	dir, err := withoutLinks(filepath.Dir(file))
	return filepath.Join(dir, filepath.Base(file)), err
}

// changes returns the texts of the files that a diff changes, by their names without links.
func changes(diff string, roots ...string) (map[string][]byte, error) {
	parsed, err := patch.Parse([]byte(diff))
	if err != nil {
		return nil, err
	}
	texts, err := parsed.Apply(patch.Read, roots...)
	if err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for file, text := range texts {
		if file, err = withoutLinks(file); err != nil {
			return nil, err
		}
		all[file] = text
	}
	return all, nil
}
