// Package stats estimates a shift from paired differences, exactly.
//
// It answers three questions about differences d₁…dₙ: how large is the shift
// (Hodges-Lehmann), between which bounds does it lie (signed-rank interval),
// and could it be chance (signed-rank p-value). All three rest on one
// assumption, that a difference is as likely to err upward as downward, which
// a randomised order of the two measurements brings about by itself. Nothing
// is assumed of the noise's shape, and nothing is approximated: there is no
// normal distribution in any claim, whatever n. If the data do not suffice for an
// answer, the result says so (an interval without bounds) instead of giving the
// nearest figure that can be computed.
//
// The package knows nothing of benchmarks.
package stats
