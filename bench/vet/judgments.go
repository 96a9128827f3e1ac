package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"

	"github.com/heapwright/heapwright/bench/internal/data"
	"github.com/heapwright/heapwright/internal/check"
)

// sampled is the number of reports of each performance check that are judged. All reports of
// correctness checks are judged.
const sampled = 30

// A place is the position of a report in the module as published.
type place struct {
	check, module, at string // the field at is FILE:LINE
}

// A judgment is the opinion of a reader of the code about a report.
type judgment struct {
	right bool
	why   string
}

// judgments holds the reports that were judged, and those still to be judged.
type judgments struct {
	all    map[place]judgment
	sample []sampledReport
}

type sampledReport struct {
	place
	report
}

// readJudged reads a file with a header and lines of the form "check module file:line
// right|wrong why", separated by tabs. A missing file counts as empty.
func readJudged(name string) (*judgments, error) {
	j := &judgments{all: map[place]judgment{}}
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return j, nil
	}
	if err != nil {
		return nil, err
	}
	for i, row := range data.Table(text) {
		if i == 0 {
			continue // the names of the columns
		}
		if len(row) != 5 || row[3] != "right" && row[3] != "wrong" || row[4] == "" {
			return nil, fmt.Errorf("%s:%d: want check, module, file:line, right or wrong, and the reason", name, i+1)
		}
		j.all[place{row[0], row[1], row[2]}] = judgment{row[3] == "right", row[4]}
	}
	return j, nil
}

// draw chooses the reports to judge, in the order of a hash of their places. That order is
// random, but the same in each run. Reports that were judged before come first: they were
// drawn in such an order too, even if a check has had another name since.
func (j *judgments) draw(done []*outcome) {
	drawn := map[string]int{}
	open := func(r sampledReport) int {
		if _, judged := j.all[r.place]; judged {
			return 0
		}
		return 1
	}
	var all []sampledReport
	for _, o := range done {
		for _, r := range o.Reports {
			all = append(all, sampledReport{place{r.Check, o.Module, fmt.Sprintf("%s:%d", r.File, r.Line)}, r})
		}
	}
	slices.SortFunc(all, func(a, b sampledReport) int {
		x, y := sha256.Sum256([]byte(fmt.Sprint(a.place))), sha256.Sum256([]byte(fmt.Sprint(b.place)))
		return cmp.Or(cmp.Compare(a.Check, b.Check), cmp.Compare(open(a), open(b)), bytes.Compare(x[:], y[:]))
	})
	for _, r := range all {
		c := check.Find(r.Check)
		if c == nil || c.Kind != check.Correctness && drawn[r.Check] == sampled {
			continue
		}
		drawn[r.Check]++
		j.sample = append(j.sample, r)
	}
}

// write prints the reports of checks that are not judged yet.
func (j *judgments) write(w io.Writer, only *regexp.Regexp) error {
	for _, r := range j.sample {
		if _, known := j.all[r.place]; known || !only.MatchString(r.Check) {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s\t%s\t%s\n%s\n%s\n", r.check, r.module, r.at, r.Message, r.Code); err != nil {
			return err
		}
	}
	return nil
}
