package trace

import (
	"math"

	"golang.org/x/exp/trace"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
)

// site describes the stack of a goroutine that waits, wakes another, enters a system
// call or stops the world.
type site struct {
	// at is the innermost line of the program. Without one, it is the innermost line
	// outside the runtime and package sync.
	at Place
	// via is the function of a library that the line at called, or "".
	via string
	// own are the functions of the program on the stack, the innermost first.
	own []string

	collector bool // waits for a lock of the collector
	stops     bool // stops the world, or waits until another has done so
	lock      bool // takes a lock of package sync
	pool      bool // takes one of a limited number of connections or permits
	request   bool // runs in the handler of a server's request
}

// sites remembers the stacks of one generation.
type sites map[trace.Stack]site

// of describes a stack.
func (all sites) of(s trace.Stack) site {
	if s == trace.NoStack {
		return site{at: Place{Function: unknown}}
	}
	known, ok := all[s]
	if !ok {
		known = describe(s)
		all[s] = known
	}
	return known
}

// collectorLocks are the functions of the runtime that wait for a lock of the
// collector, for the reason "sync", like any sync.Mutex.
var collectorLocks = map[string]bool{"runtime.gcStart": true, "runtime.gcMarkDone": true,
	"runtime.gcMarkTermination": true}

// stopping are the functions of the runtime that stop the world for others. Only one
// caller can do that at a time: the others wait in them.
var stopping = map[string]bool{"runtime.stopTheWorld": true, "runtime.stopTheWorldGC": true}

// locks are the methods that take a lock.
var locks = map[string]bool{"sync.(*Mutex).Lock": true, "sync.(*RWMutex).Lock": true,
	"sync.(*RWMutex).RLock": true, "internal/sync.(*Mutex).lockSlow": true}

// pools are the functions that wait until another goroutine returns a connection or a permit.
var pools = map[string]bool{"database/sql.(*DB).conn": true,
	"golang.org/x/sync/semaphore.(*Weighted).Acquire": true}

// handlers are the functions that call the handler of a request. In a goroutine of one of
// them, a wait belongs to a request. Other goroutines may wait for work.
var handlers = map[string]bool{
	"net/http.serverHandler.ServeHTTP": true, "net/http.(*http2serverConn).runHandler": true,
	"golang.org/x/net/http2.(*serverConn).runHandler": true,
	"google.golang.org/grpc.(*Server).handleStream":   true, "net/rpc.(*service).call": true,
}

// maxOwn bounds the functions of a site.
const maxOwn = 16

// describe looks at all frames of a stack.
func describe(stack trace.Stack) (s site) {
	inner, own, asked := Place{}, Place{}, false
	for f := range stack.Frames() {
		s.collector = s.collector || collectorLocks[f.Func]
		s.stops = s.stops || stopping[f.Func]
		s.lock = s.lock || locks[f.Func]
		s.pool = s.pool || pools[f.Func]
		s.request = s.request || handlers[f.Func]
		pkg := profile.PackageOf(f.Func)
		asked = asked || pkg == "net/http/pprof"
		if owner.OfRuntime(f.Func) || pkg == "sync" || pkg == "internal/sync" {
			continue
		}
		if inner == (Place{}) {
			inner = placeOf(f)
		}
		// The program's lines around a handler of net/http/pprof do not cause what it
		// does: somebody who asks for a profile does.
		if asked || owner.Of(f.Func, f.File) != owner.Program {
			continue
		}
		if own == (Place{}) {
			own = placeOf(f)
		}
		if len(s.own) < maxOwn {
			s.own = append(s.own, name(f.Func))
		}
	}
	switch {
	case own != (Place{}) && own != inner:
		s.at, s.via = own, inner.Function
	case inner != (Place{}):
		s.at = inner
	default:
		s.at = Place{Function: unknown}
	}
	return s
}

// placeOf returns a bounded copy of a frame.
func placeOf(f trace.StackFrame) Place {
	return Place{Function: name(f.Func), File: name(f.File), Line: int(min(f.Line, math.MaxInt32))}
}
