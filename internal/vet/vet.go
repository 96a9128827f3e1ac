// Package vet runs the checks on packages, keeps the reports that matter, and
// applies their fixes.
//
// It runs go vet -vettool: the go command loads each package once, hands facts from
// package to package, and caches results. Profiles are applied here, after the cache,
// so that none can make a cached result wrong.
package vet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/subprocess"
	"github.com/heapwright/heapwright/internal/vet/weight"
)

// Plan names the packages to check.
type Plan struct {
	Dir      string           // a folder of the module; "" is the current one
	Packages []string         // patterns, as for go build
	All      bool             // performance checks too, on every line
	Profiles *weight.Profiles // report performance on their expensive lines; nil is none
}

// tool is the name by which the go command calls this program in messages.
const tool = "heapwright"

// Run checks the packages. It returns an error if it could check none. If it could
// check some, Failures of the document lists the others.
func Run(ctx context.Context, p Plan) (*Document, error) {
	dir, err := filepath.Abs(p.Dir)
	if err != nil {
		return nil, err
	}
	d := &Document{Schema: Schema, Dir: dir, Reports: []Report{}} // an empty list in JSON, not null
	all, err := listNamed(ctx, dir, p.Packages)
	if err != nil {
		return nil, err
	}
	d.roots, d.files = roots(all), files(all)
	flags := []string{"-dependencies=" + sharing(all)}
	if trims, err := trimsPaths(ctx, dir); err != nil {
		return nil, err
	} else if trims {
		flags = append(flags, fmt.Sprintf("-folder=%x", sha256.Sum256([]byte(dir))))
	}
	if p.All || p.Profiles != nil {
		flags = append(flags, "-all", "-escape")
	}
	if p.Profiles != nil {
		flags = append(flags, "-retained")
	}
	if err := d.vet(ctx, flags, p.Packages); err != nil {
		return nil, err
	}
	if p.Profiles != nil {
		d.weigh(p, all)
	}
	if err := d.confirm(ctx, p.Packages); err != nil {
		return nil, err
	}
	slices.SortFunc(d.Reports, func(a, b Report) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Check, b.Check), cmp.Compare(a.Message, b.Message))
	})
	// A package that imports one whose tests import it is compiled, and checked, again.
	d.Reports = slices.CompactFunc(d.Reports, func(a, b Report) bool {
		return a.Check == b.Check && a.Place == b.Place && a.Message == b.Message
	})
	return d, nil
}

// vet checks packages. If the go command refuses all of them because some cannot be
// loaded, vet checks the others.
func (d *Document) vet(ctx context.Context, flags, patterns []string) error {
	output, messages, err := goVet(ctx, d.Dir, flags, patterns)
	if err != nil && len(output) == 0 && !strings.Contains(messages, "\n# ") && !strings.HasPrefix(messages, "# ") {
		sound, failures, lerr := loadable(ctx, d.Dir, patterns)
		if lerr != nil || len(sound)+len(d.roots) == 0 || len(failures) == 0 {
			return noneChecked(messages, err)
		}
		d.Failures = failures
		if len(sound) == 0 {
			return nil
		}
		output, messages, err = goVet(ctx, d.Dir, flags, sound)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return err
	}
	if err := tooNew(messages); err != nil {
		return err
	}
	if err := errors.Join(d.read(string(output)), d.read(messages)); err != nil {
		return err
	}
	d.completeMessages(ctx)
	return d.failDependents(ctx, patterns)
}

// newerGo is the message of go/types about a package of a newer Go than this program's.
var newerGo = regexp.MustCompile(`package requires newer Go version (go\S+) \(application built with (go\S+)\)`)

// tooNew is the error of a go command that is newer than this program: no package of
// its standard library can be read, and so no other.
func tooNew(messages string) error {
	if m := newerGo.FindStringSubmatch(messages); m != nil {
		return fmt.Errorf("no package can be checked: the go command is of %s, and heapwright was built with %s: build heapwright with %[1]s", m[1], m[2])
	}
	return nil
}

func noneChecked(messages string, err error) error {
	return fmt.Errorf("no package can be checked: %s",
		cmp.Or(indented(strings.TrimSpace(messages)), err.Error())+subprocess.Remedy(messages))
}

// trimsPaths reports whether the go command builds with -trimpath. Then it keeps one result
// for equal packages in all folders, and the reports would name the files of the first.
func trimsPaths(ctx context.Context, dir string) (bool, error) {
	flags, messages, err := goCommand(ctx, dir, "env", "GOFLAGS")
	if err != nil {
		return false, noneChecked(messages, err)
	}
	return slices.ContainsFunc(strings.Fields(string(flags)), func(f string) bool {
		name, value, _ := strings.Cut(strings.TrimLeft(f, "-"), "=")
		return name == "trimpath" && value != "false"
	}), nil
}

// goVet runs the checks through the go command and returns the JSON that they
// print, and the go command's own messages.
func goVet(ctx context.Context, dir string, flags, patterns []string) (output []byte, messages string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", fmt.Errorf("the go command needs this program's path: %w", err)
	}
	args := slices.Concat([]string{"vet", "-vettool=" + self, "-json"}, flags, []string{"--"}, patterns)
	return goCommand(ctx, dir, args...)
}

func goCommand(ctx context.Context, dir string, args ...string) (stdout []byte, stderr string, err error) {
	out, errs, err := subprocess.Command{Dir: dir, Name: "go", Args: args}.Run(ctx)
	return out, string(errs), err
}
