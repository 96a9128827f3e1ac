package experiment

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/heapwright/heapwright/internal/process"
	"github.com/heapwright/heapwright/internal/sample"
	"github.com/heapwright/heapwright/internal/target"
)

// arm is a cell as it takes part in a block. The baseline takes part at least
// twice: as itself and as the A/A control.
type arm struct {
	name string
	cell *target.Cell
}

func (e *experiment) arms() []arm {
	base := e.cells[0]
	arms := []arm{{e.doc.Baseline + sample.ControlSuffix, base}}
	for _, name := range e.plan.Again {
		arms = append(arms, arm{name, base})
	}
	for _, c := range e.cells {
		arms = append(arms, arm{c.Mode.Name, c})
	}
	return arms
}

// placement hands out the files that arms run in one block.
type placement struct {
	dir    string            // "" where no copies are made
	copies map[string]string // arm and built file → its copy
	keep   bool
}

// place prepares the files of a block according to the plan.
func (e *experiment) place() (*placement, error) {
	if e.plan.Place == Same {
		return &placement{}, nil
	}
	if e.fixed != nil {
		return e.fixed, nil
	}
	dir, err := os.MkdirTemp(e.scratch, "block")
	if err != nil {
		return nil, fmt.Errorf("making a folder for copies: %w", err)
	}
	p := &placement{dir: dir, copies: map[string]string{}}
	if e.plan.Place == Fixed {
		p.keep, e.fixed = true, p
	}
	return p, nil
}

// file returns the binary that an arm runs of a package: a copy of its own, or the
// built file.
func (p *placement) file(a arm, pkg string, block int) (string, error) {
	built := a.cell.Binary(pkg, block)
	if p.dir == "" {
		return built, nil
	}
	key := a.name + "\x00" + built
	if c, ok := p.copies[key]; ok {
		return c, nil
	}
	dir := filepath.Join(p.dir, fmt.Sprint(len(p.copies)))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", fmt.Errorf("making a folder for a copy: %w", err)
	}
	c, err := process.CopyBinary(built, dir)
	if err != nil {
		return "", err
	}
	p.copies[key] = c
	return c, nil
}

func (p *placement) close() {
	if p.dir != "" && !p.keep {
		os.RemoveAll(p.dir)
	}
}
