// Package flow follows the objects that a function makes through the program. It
// reports whether they die with a call, or names their keeper.
//
// It solves inclusion constraints over the SSA form of the functions that a call
// can reach, with an object for each allocating instruction and a place for each
// of its fields. It is insensitive to the order of statements and, but for accessors, to
// the context of a call.
//
// The stance: an object dies only where every flow of it was followed to its
// end. Memory that the call was given, package variables, goroutines, and code
// without source or contract keep whatever reaches them.
package flow
