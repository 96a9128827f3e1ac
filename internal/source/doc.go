// Package source knows the source of a profiled program: the lines, which of
// them are the program's own, the expressions in them that allocate, and why the
// compiler put a value on the heap.
//
// The stance: source sharpens a finding. Where the source at hand is not the
// profiled program's, or does not build, everything else still works and the findings
// say that they had none.
package source
