package rules

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

// The types of package finding, for packages that read findings.
type (
	Finding     = finding.Finding
	Figure      = finding.Figure
	LibraryLine = finding.LibraryLine
	Price       = finding.Price
	Rule        = finding.Rule
)

// Rules are all rules, by name. A new rule is a file of its own and a line here.
var Rules = []*finding.Rule{
	appendWithoutRoom,
	boxing,
	closure,
	collecting,
	contextChain,
	emptyPool,
	encoder,
	forcedGC,
	formatting,
	frequentGC,
	goroutineLeak,
	hotCall,
	largeCopy,
	largeHolder,
	libraryGarbage,
	lockQueue,
	mapWithoutSize,
	memoryLimit,
	outsideHeap,
	pageFaults,
	pointerHeap,
	protobufDecoding,
	reconnecting,
	requestBuffer,
	retention,
	runtimeWork,
	shortLived,
	stackMemory,
	stringConcatenation,
	stringConversion,
	timer,
	unboundedGrowth,
	unreleased,
	unstoppedTicker,
}

// Find applies all rules and returns their findings, the highest ceiling first and one for each
// line. The notes name rules that could not be applied, or that had too little evidence to see
// everything.
func Find(e *evidence.Evidence) (found []finding.Finding, notes []string) {
	return finding.Find(Rules, e)
}

// Small returns the changes of checks at lines of which nothing is found, those that cost most
// first.
func Small(e *evidence.Evidence, found []Finding) []Finding { return finding.Small(e, found) }

// Lines returns a finding without words for each line of the program that allocates.
func Lines(e *evidence.Evidence) []Finding { return finding.Lines(e) }

// ByPrice orders findings by the most that they save, measured where a line has a price.
func ByPrice(all []finding.Finding) { finding.ByPrice(all) }

// BySetting reports whether a setting of the runtime is the remedy of the rule with
// this name.
func BySetting(name string) bool {
	return slices.ContainsFunc(Rules, func(r *finding.Rule) bool { return r.Name == name && r.Setting })
}
