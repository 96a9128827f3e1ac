package mode

import "fmt"

// Verify compares the reports of a built cell and of a run of it with the mode, both
// ways: settings of the mode must be there, and no others. An error means that the
// cell is not in its mode and must not be measured. Settings that only a run can show
// are checked once Identity.Reported is true.
func (m Mode) Verify(c Config, id Identity) error {
	_, err := prove(c, id)
	if err != nil {
		return fmt.Errorf("mode %s is not in effect: %w", m.name(), err)
	}
	return nil
}

// Doubts returns the settings that Verify cannot prove and why, for the report. Call
// it with all that is known: after the run that reports, if there is one.
func (m Mode) Doubts(c Config, id Identity) []string {
	doubts, _ := prove(c, id)
	if part := runPart(c); part != "" && !id.Reported {
		doubts = append(doubts, part+" cannot be proven: no run reported its environment")
	}
	return doubts
}

func prove(c Config, id Identity) (doubts []string, err error) {
	for _, k := range kinds {
		for _, p := range []struct {
			prove func(Config, Identity) (string, error)
			skip  bool
		}{{k.ProveBuild, c.Prebuilt}, {k.ProveRun, !id.Reported}} {
			if p.prove == nil || p.skip {
				continue
			}
			doubt, err := p.prove(c, id)
			if err != nil {
				return doubts, err
			}
			if doubt != "" {
				doubts = append(doubts, doubt)
			}
		}
	}
	return doubts, nil
}
