// Package diagnose says where a program's CPU and memory go because of memory,
// what removing each cause would save at most, and what to do: evidence in,
// findings out.
//
// Evidence is gathered from profiles, runtime figures and source. Rules, one
// file each, read it and return findings; the engine ranks them by what they
// could save. The stance: a figure is a range with two honest ends, not a
// number; what the evidence cannot tell is said and not guessed; a rule that
// needs what is not there stays silent and says why.
package diagnose
