package rules

import "slices"

// Rules are all rules, by name. A new rule is a file of its own and a line here.
var Rules = []*Rule{
	appendWithoutRoom,
	arena,
	boxing,
	closure,
	collecting,
	emptyPool,
	encoder,
	forcedGC,
	formatting,
	frequentGC,
	goroutineLeak,
	largeHolder,
	libraryGarbage,
	mapWithoutSize,
	memoryLimit,
	outsideHeap,
	pageFaults,
	pointerHeap,
	protobufDecoding,
	requestBuffer,
	retention,
	runtimeWork,
	stringConcatenation,
	stringConversion,
	timer,
	unboundedGrowth,
	unreleased,
	unstoppedTicker,
}

// BySetting reports whether a setting of the runtime is the remedy of the rule with
// this name.
func BySetting(name string) bool {
	return slices.ContainsFunc(Rules, func(r *Rule) bool { return r.Name == name && r.Setting })
}
