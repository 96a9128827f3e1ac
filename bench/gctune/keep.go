package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// keepPoints writes all points of one worker's life, so that the worst second in
// a table can be examined. The columns are those of point.
func keepPoints(file string, points []point) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("keeping the points: %w; give another folder with -o", err)
	}
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("keeping the points: %w; give another folder with -o", err)
	}
	defer f.Close()
	fmt.Fprintln(f, "at\tdone\tstorms\tgc\tidle\tcycles\tlive\tgogc\tlimit\tgoal")
	for _, p := range points {
		fmt.Fprintf(f, "%.3f\t%d\t%d\t%.4f\t%.4f\t%d\t%d\t%d\t%d\t%d\n", p.at, p.done, p.storms, p.gc, p.idle, p.cycles, p.live, p.gogc, p.limit, p.goal)
	}
	return f.Close()
}

// keep is the file of outcomes, newest last. Of the same scenario and policy it
// holds only the newest.
type keep struct{ file string }

func (k keep) load() ([]outcome, error) {
	data, err := os.ReadFile(k.file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var all []outcome
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; move it away to start over", k.file, err)
	}
	return all, nil
}

func (k keep) add(o outcome) error {
	all, err := k.load()
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(x outcome) bool { return x.Scenario == o.Scenario && x.Policy == o.Policy })
	data, err := json.MarshalIndent(append(all, o), "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(k.file), 0o755)
	}
	if err == nil {
		err = os.WriteFile(k.file, data, 0o644)
	}
	if err != nil {
		return fmt.Errorf("keeping the outcomes: %w; give another folder with -o", err)
	}
	return nil
}
