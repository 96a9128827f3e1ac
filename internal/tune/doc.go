// Package tune closes the loop on one target: where its CPU and memory go, which
// modes that need no code are really cheaper, which lines of code to change, and
// one answer.
//
// The stance: evidence first, then measurement, then advice. A mode is tried
// only where the diagnosis says that it can matter, recommended only if an
// experiment proved it against the baseline, and never beyond the memory that
// was allowed. "There is little to gain" is an answer.
package tune
