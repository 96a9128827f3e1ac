package mode

import "fmt"

// Verify holds what a built cell and a run of it report against what the mode
// asked for, both ways: what was asked must be there, and what was not asked
// must not. An error means that the cell is not what it says and must not be
// measured. What only a run can tell is held once Identity.Reported is true.
func (m Mode) Verify(c Config, id Identity) error {
	for _, k := range kinds {
		if _, err := k.prove(c, id); err != nil {
			return fmt.Errorf("mode %s is not what it says: %w", m.name(), err)
		}
	}
	return nil
}

// Doubts returns what Verify could not prove and why, for the report. Call it
// with all that is known: after the run that reports.
func (m Mode) Doubts(c Config, id Identity) []string {
	var doubts []string
	for _, k := range kinds {
		if doubt, err := k.prove(c, id); err == nil && doubt != "" {
			doubts = append(doubts, doubt)
		}
	}
	return doubts
}

func (k Kind) prove(c Config, id Identity) (doubt string, err error) {
	if k.Prove == nil {
		return "", nil
	}
	return k.Prove(c, id)
}
