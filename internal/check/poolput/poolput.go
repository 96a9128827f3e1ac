// Package poolput finds values that are used after they were put into a sync.Pool.
package poolput

import (
	"golang.org/x/tools/go/analysis"

	"github.com/heapwright/heapwright/internal/lifetime"
)

const doc = `report values used after sync.Pool.Put, put twice, or put into another pool

After Put another goroutine may hold the value. Reading or writing it is a data
race, and a second Put hands the same value to two goroutines.

	pool.Put(buf)
	return buf.Bytes()

A deferred Put runs after the results are evaluated, so a function that defers it
must not return the value, or memory of the value, either.

The check follows values through variables, fields, closures and helpers of all
packages, with the slices, strings and readers that share their memory, as buf.Bytes()
does. It also reports a Put while a goroutine that uses the value may still run, or
after the value was sent on a channel, where nothing lies between that could wait for
the other goroutine, and memory that is kept behind a parameter or in a package-level
variable when the value is put. A deferred call that was deferred before a deferred
Put runs after it.

A value that is lent to unknown code may come back by one of its methods. The check
reports an exported method that puts its receiver if all who take such values from the
pool lend them and put them as well, and a method that leaves a field set which it
puts, if a function defers that method of a value that it lends.

A value of one package-level pool that is put into another one is reported as well: the
users of that pool may expect another size or other contents. Where a length or a
capacity decides which pool gets the value, the pools are for different sizes.

The check reports a use if a Put precedes it on every path, if the use always follows
the Put, or if it comes before the Put in a loop. Comparisons, len and cap are
harmless. A helper that puts a value under a condition counts only if the condition
tests for nil, a type, or a length. A field is followed up to a call of unknown code
that may assign it. There is no fix: only the author
knows where the last use belongs.`

// Analyzer finds uses of a value after sync.Pool.Put, and second Puts.
var Analyzer = &analysis.Analyzer{
	Name:     "poolput",
	Doc:      doc,
	Requires: []*analysis.Analyzer{lifetime.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		lifetime.Report(pass, lifetime.Pool)
		return nil, nil
	},
}
