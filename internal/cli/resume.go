package cli

import "slices"

// resumes refuses what -resume would not heed: target and flags are those of the
// command that was cut short, whose output folder this is.
func (a arguments) resumes(dir string) error {
	if len(a.names)+len(a.after) > 0 {
		return usagef("-resume takes the target from %s; give only -o and -budget with it", dir)
	}
	for _, name := range a.flags {
		if !slices.Contains([]string{"resume", "o", "budget"}, name) {
			return usagef("-resume takes -%s from %s; give only -o and -budget with it", name, dir)
		}
	}
	return nil
}
