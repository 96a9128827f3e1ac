package finding

import (
	"fmt"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/source"
)

var (
	// readsType are functions of reflect whose results follow from a type alone.
	readsType = []string{"reflect.StructTag.", "reflect.Type.Field", "reflect.Type.Method", "reflect.VisibleFields"}
	// remembers are functions of which one is called where results for a type are kept.
	remembers = []string{"sync.(*Map).", "sync.(*Once).", "sync.OnceValue", "sync.(*RWMutex).", "sync.(*Mutex)."}
)

// perTypeReach is how many of the program's functions around a line may read the type.
const perTypeReach = 4

// addPerType gives a finding in work that a walk over the fields of a type does for each value
// the remedy to do it once for each type.
func (f *Finding) addPerType(e *evidence.Evidence) {
	if f.cause == nil || f.Confidence == "" || e.Source == nil {
		return
	}
	var reader *evidence.Frame
	var call source.Allocation
	for i, seen := 0, 0; i < len(f.Path) && seen < perTypeReach; i++ {
		frame := &f.Path[i]
		if !e.Owns(*frame) {
			continue
		}
		seen++
		body := e.Source.Of(frame.Function)
		for _, a := range body {
			switch {
			case a.Kind != source.Call:
			case HasPrefix(a.Callee, remembers):
				return
			case reader == nil && a.InLoop && HasPrefix(a.Callee, readsType):
				reader, call = frame, a
			}
		}
	}
	if reader == nil {
		return
	}
	f.Remedy = fmt.Sprintf("%s reads the fields and tags of a type for each value (%s). Make whatever follows from the "+
		"type alone, such as parsed tags and the functions that they name, once for each type: keep it in a sync.Map "+
		"with the reflect.Type "+
		"as key. Otherwise: %s", profile.ShortName(reader.Function), FileAndLine(call.Position), f.Remedy)
	f.Example = strings.Join([]string{
		"plan, ok := plans.Load(v.Type()) // var plans sync.Map: reflect.Type → []fieldPlan",
		"if !ok {",
		"\tplan, _ = plans.LoadOrStore(v.Type(), planOf(v.Type()))",
		"}"}, "\n")
	f.Prose = false
}
