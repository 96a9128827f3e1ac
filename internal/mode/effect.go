package mode

import (
	"fmt"
	"slices"
)

// effect is a function by which a binary shows that an experiment is at work. The
// label in the version shows only that the variable was set.
type effect struct {
	function string
	always   bool // every program has it, not only those that use the experiment
}

var effects = map[string]effect{
	"arenas":                {function: "runtime.newUserArena"},
	"greenteagc":            {function: "runtime.tryDeferToSpanScan", always: true},
	"jsonv2":                {function: "encoding/json/internal/jsonflags.(*Flags).Set"},
	"randomizedheapbase64":  {function: "runtime.nextHeapRandBits", always: true},
	"sizespecializedmalloc": {function: "runtime.mallocgcSmallNoScanSC2", always: true},
}

// EffectFunctions are the functions that Identity.Functions reports on.
func EffectFunctions() []string {
	list := []string{protobufFunction}
	for _, e := range effects {
		list = append(list, e.function)
	}
	return list
}

// refused are experiments that must not be turned on, with the reason.
var refused = map[string]string{
	"runtimefreegc": "the compiler of a released toolchain leaves its half out, so that nothing is freed (go.dev/issue/79631), " +
		"and where it is at work, it frees memory that is in use (go.dev/issue/80697)",
}

// proveEffect holds an experiment that a mode turns on or off against the
// functions of the binary.
func proveEffect(e experiment, id Identity) (doubt string, err error) {
	known, ok := effects[e.base()]
	if !ok {
		return fmt.Sprintf("nothing in a binary shows the effect of %s: its label is the only proof", e), nil
	}
	switch has := slices.Contains(id.Functions, known.function); {
	case has == e.on():
		return "", nil
	case has:
		return "", fmt.Errorf("it was to be built with %s, the binary still has %s", e, known.function)
	case known.always:
		return "", fmt.Errorf("it was to be built with %s, the binary bears the label but does not have %s",
			e, known.function)
	}
	return fmt.Sprintf("the program has nothing of %s: the setting changes nothing in it", e.base()), nil
}
