// Package tune answers one question about a target: what should be changed, so that it
// takes less CPU and memory? It diagnoses where these go, measures which modes are
// cheaper, and lists the lines of code to change.
//
// The stance: evidence first, then measurement, then advice. A mode is tried
// only if it can matter according to the diagnosis. It is recommended only if an
// experiment proved it better than the baseline, and never if it takes more memory
// than allowed. "There is little to gain" is an answer.
package tune
