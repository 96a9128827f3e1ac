// Package cure chooses between two variants of a program that differ only in a fault
// and its cure: a build with the tag cured runs the cure, any other build the fault.
package cure

// Built returns the variant that this build runs.
func Built[T any](before, after T) T {
	if Cured {
		return after
	}
	return before
}
