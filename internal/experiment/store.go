package experiment

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/sample"
)

// Names of the files that an experiment keeps while it measures.
const (
	ResultsFile = "results.txt" // every run, appended as soon as it ended
	ReportFile  = "report.json" // the document, replaced after every block
)

// store is an experiment's folder on disk. After a crash or a Ctrl-C it holds
// everything that was measured.
type store struct {
	dir     string
	results *os.File
	writer  *sample.Writer
}

func (e *experiment) open(runs []sample.Run) (err error) {
	if e.scratch, err = os.MkdirTemp("", "heapwright-"); err != nil {
		return fmt.Errorf("making a scratch folder: %w", err)
	}
	e.cleanup = append(e.cleanup, func() { os.RemoveAll(e.scratch) })
	if e.store, err = openStore(e.plan.OutDir, e.doc.Machine, len(runs) > 0); err != nil {
		return err
	}
	e.cleanup = append(e.cleanup, func() { e.store.results.Close() })
	e.before = e.doc.Modes
	e.doc.Untimed, e.doc.Warnings = nil, nil // found anew
	e.doc.Runs, e.doc.Blocks = runs, 0
	for _, r := range runs {
		e.doc.Blocks = max(e.doc.Blocks, r.Block)
	}
	e.doc.Target = e.plan.Target.String()
	e.doc.Baseline = e.plan.Modes[0].Name
	e.doc.Seed = e.plan.Seed
	return nil
}

// openStore opens the results file, anew or, when an experiment goes on, to
// append. What was measured before is never rewritten, so it cannot be lost.
func openStore(dir string, m result.Machine, goOn bool) (*store, error) {
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if goOn {
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	}
	err := os.MkdirAll(dir, 0o755)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(filepath.Join(dir, ResultsFile), flags, 0o644)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot write to the output folder: %w; give another with -o", err)
	}
	return &store{dir: dir, results: f, writer: sample.NewWriter(f, Environment(m))}, nil
}

// Environment is what stands at the head of a results file.
func Environment(m result.Machine) [][2]string {
	env := [][2]string{{"goos", m.OS}, {"goarch", m.Arch}}
	if m.CPU != "" {
		env = append(env, [2]string{"cpu", m.CPU})
	}
	return env
}

func (s *store) add(r sample.Run) error {
	if err := s.writer.Write(r); err != nil {
		return fmt.Errorf("writing what was measured: %w; make room and go on with -resume", err)
	}
	return nil
}

func (s *store) save(doc *result.Document) error {
	if err := result.Save(filepath.Join(s.dir, ReportFile), doc); err != nil {
		return fmt.Errorf("writing what was measured: %w; make room and go on with -resume", err)
	}
	return nil
}
