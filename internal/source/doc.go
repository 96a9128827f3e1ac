// Package source knows the source of a profiled program: the lines, which of
// them are the program's own, what allocates in them, and why the compiler put
// it on the heap.
//
// The stance: what source says is advice that sharpens a finding. Where the
// source at hand is not what was profiled, or does not build, everything else
// still works and the findings say that they had none.
package source
