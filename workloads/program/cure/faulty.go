//go:build !cured

package cure

// Cured reports whether this build runs the cure.
const Cured = false
