package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/input"
	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/trust"
)

const (
	// maxResults bounds a file of results. A hundred thousand runs take 50 MB.
	maxResults = 128 << 20
	// maxPlan bounds a document that holds several experiments.
	maxPlan = 256 << 20
)

// ResumeCommand is the command line that continues an experiment of a command, as a
// user can paste it into a shell.
func ResumeCommand(command, dir string, flags ...string) string {
	return mode.CommandLine(nil, "heapwright", append([]string{command, "-resume", "-o", dir}, flags...)...)
}

// ReadPlan reads a document, as JSON, of a command that makes several experiments and
// continues by the plan in it.
func ReadPlan(file string, doc any) error {
	if err := checkOwn(filepath.Dir(file), filepath.Base(file)); err != nil {
		return err
	}
	data, err := input.ReadRegular(file, maxPlan)
	if err != nil {
		return fmt.Errorf("nothing to resume: %w; run without -resume", err)
	}
	if err := json.Unmarshal(data, doc); err != nil {
		return fmt.Errorf("%s is damaged: %w; run without -resume", file, err)
	}
	return nil
}

// ResumePart reads the experiment that such a command left in a folder, with the runs of its
// complete blocks. It returns nil if there is none with these modes, or only one that is
// older than the command's run.
func ResumePart(dir string, modes []string, begun time.Time) (*result.Document, []sample.Run) {
	doc, runs, err := Resume(dir)
	if err != nil || doc.Started.Before(begun) {
		return nil, nil
	}
	if !slices.EqualFunc(doc.Modes, modes, func(m result.Mode, name string) bool { return m.Name == name }) {
		return nil, nil
	}
	return doc, runs
}

// checkOwn returns an error if an experiment must not continue from the files in its folder.
// The plan in them starts programs, so only the caller and root may have written them.
func checkOwn(dir string, names ...string) error {
	for _, name := range names {
		err := trust.Check(filepath.Join(dir, name), dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // reading a missing file gives the remedy
			return fmt.Errorf("nothing is resumed: %w, and the plan there starts programs in your name; run without -resume, or copy the folder to be its owner", err)
		}
	}
	return nil
}

// Resume reads the folder of an interrupted experiment. It returns the document as it was saved
// last, and the runs of the complete blocks. An incomplete block is measured again, because its
// pairs would be hours apart.
func Resume(dir string) (*result.Document, []sample.Run, error) {
	file := filepath.Join(dir, ResultsFile)
	if err := checkOwn(dir, ReportFile, ResultsFile); err != nil {
		return nil, nil, err
	}
	doc, err := result.LoadFound(filepath.Join(dir, ReportFile))
	if err != nil {
		return nil, nil, fmt.Errorf("nothing to resume: %w; run without -resume", err)
	}
	data, err := input.ReadRegular(file, maxResults)
	if err != nil {
		return nil, nil, fmt.Errorf("nothing to resume: %w; run without -resume", err)
	}
	runs, torn, err := sample.Read(bytes.NewReader(data), file)
	if err != nil {
		return nil, nil, fmt.Errorf("the results are damaged: %w; mend or remove that line, or run without -resume",
			err)
	}
	if torn {
		// Appending to half a line would damage the next one.
		whole := int64(bytes.LastIndexByte(data, '\n') + 1)
		if err := os.Truncate(file, whole); err != nil {
			return nil, nil, fmt.Errorf("removing the torn last line: %w", err)
		}
	}
	whole := runs[:0]
	for _, r := range runs {
		if r.Block <= doc.Blocks {
			whole = append(whole, r)
		}
	}
	return doc, whole, nil
}
