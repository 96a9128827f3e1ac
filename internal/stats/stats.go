// Package stats estimates a shift from paired differences, exactly.
//
// It answers three questions about differences d₁…dₙ: how large is the shift
// (Hodges-Lehmann), between which bounds does it lie (signed-rank interval), and could it
// be chance (signed-rank p-value). All three rest on one assumption: a difference is as
// likely to err upward as downward. A randomised order of the two measurements makes this
// true. Nothing is assumed about the shape of the noise, and no claim uses a normal
// approximation, however large n is. If the data do not suffice for an answer, the result
// has no bounds.
//
// The package knows nothing of benchmarks.
package stats
