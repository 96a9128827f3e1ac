package flow

import "testing"

// An atomic number refers to no object; an atomic pointer does.
func TestAtomics(t *testing.T) {
	for function, want := range map[string]keeps{
		"sync/atomic.LoadUint32": keepsNothing, "sync/atomic.StoreInt64": keepsNothing, "sync/atomic.AddUintptr": keepsNothing,
		"sync/atomic.CompareAndSwapUint32": keepsNothing, "sync/atomic.(*Uint32).Store": keepsNothing, "sync/atomic.(*Bool).CompareAndSwap": keepsNothing,
		"sync/atomic.LoadPointer": inResult, "sync/atomic.(*Pointer).Load": inResult, "sync/atomic.(*Value).Load": inResult,
		"sync/atomic.StorePointer": inReceiver, "sync/atomic.(*Pointer).Store": inReceiver, "sync/atomic.(*Value).Swap": inReceiver,
	} {
		if got := known(function); got != want {
			t.Errorf("%s: %v, not %v", function, got, want)
		}
	}
}
