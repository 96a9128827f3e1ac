// Package price measures the cost of a line, by amplification: an expression that
// allocates is executed some more times at its place, and the slope of CPU time over
// their number is its price, with its part of the collector's work.
//
// The stance: a price is a measurement with an interval, or there is none. An
// expression is amplified only where executing it again changes nothing but memory: its
// operands only read, and the statement always executes it. The extra results are
// stored where the compiler must put them on the heap, as it does the original.
package price
