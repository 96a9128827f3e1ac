// Package evidence turns profiles, runtime figures and source into facts about a
// program's memory: the lines that allocate, their costs, and the most that
// removing each would save.
//
// New runs one pipeline from top to bottom: order the profiles, place each stack
// at a site, sum heap and CPU samples, estimate ceilings, fit growth, describe
// the sites, group blocked goroutines, study the source. Each step is a file,
// reads the tables of earlier steps, and runs once. The result is read-only and
// safe for concurrent use.
//
// The stance: a share that could be saved is a range with two honest ends, not a
// number, and a figure that the profiles do not hold is unknown, not zero. The
// package knows neither rules nor remedies.
package evidence
