package fix

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/patch"
	"github.com/heapwright/heapwright/internal/subprocess"
)

// Commit applies the changes that the document in a file keeps, each with a git commit of
// its own, and returns the titles of the commits. It refuses to touch a file that differs
// from the last commit.
func Commit(ctx context.Context, file, dir string) (titles []string, err error) {
	text, err := input.ReadFile(ctx, file, patch.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("there are no changes: %w; run heapwright fix first", err)
	}
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	kept := d.kept()
	if len(kept) == 0 || d.Patch == "" {
		return nil, errors.New("the last run proved no change; there is nothing to commit")
	}
	w, err := openWorkplace(ctx, dir)
	if err != nil {
		return nil, err
	}
	steps, err := w.steps(ctx, &d, kept)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; heapwright fix -apply applies them without commits", file, err)
	}
	for i, c := range kept {
		files, err := w.write(steps[i])
		if err != nil {
			return titles, err
		}
		args := slices.Concat([]string{"add", "-N", "--"}, files)
		if _, err := subprocess.Output(ctx, dir, "git", args...); err != nil {
			return titles, err
		}
		commit := slices.Concat([]string{"commit", "-q", "-m", c.Message(d.Target), "--"}, files)
		if _, err := subprocess.Output(ctx, dir, "git", commit...); err != nil {
			names := strings.Join(files, ", ")
			return titles, fmt.Errorf("%s is changed, but not committed: %w", names, err)
		}
		titles = append(titles, c.subject())
	}
	return titles, nil
}

// steps returns the texts after each change, on top of those before it. One after the
// other they have to come to the patch that was proven.
func (w *workplace) steps(ctx context.Context, d *Document, kept []*Change) (steps []map[string][]byte, err error) {
	whole, err := w.apply([]byte(d.Patch), patch.Read)
	if err != nil {
		return nil, err
	}
	for file := range whole {
		if isNew(file) {
			continue
		}
		out, err := subprocess.Output(ctx, filepath.Dir(file), "git", "status", "--porcelain", "--", file)
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(out)) > 0 {
			return nil, fmt.Errorf("%s has changes that are not committed", file)
		}
	}
	texts := map[string][]byte{}
	read := func(file string) ([]byte, error) {
		if text, ok := texts[file]; ok {
			return text, nil
		}
		return patch.Read(file)
	}
	for _, c := range kept {
		step, err := w.apply([]byte(c.Patch), read)
		if err != nil {
			return nil, err
		}
		maps.Copy(texts, step)
		steps = append(steps, step)
	}
	if !maps.EqualFunc(texts, whole, bytes.Equal) {
		return nil, errors.New("one after the other, the changes are not the patch that was proven")
	}
	return steps, nil
}

// subject is the first line of the change's commit message.
func (c *Change) subject() string {
	return strings.TrimSuffix(filepath.Base(c.File), ".go") + ": " + c.Title
}

// Message is the change's commit message, with the gain that was measured on a target.
func (c *Change) Message(target string) string {
	return fmt.Sprintf("%s\n\n%s:%d. %s.\n\nMeasured on %s by heapwright fix, in %s.\n",
		c.subject(), c.File, c.Line, c.Gain.Words(), target, format.Plural(c.Gain.Blocks, "block"))
}
