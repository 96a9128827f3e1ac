package lifetime

import (
	"go/types"
	"strings"
)

// Interceptors of gRPC get a pointer to one of these.
const callInfo = "*google.golang.org/grpc.UnaryServerInfo"

// The faults of a goroutine that goes on when its handler has returned.
const (
	afterHandler = "a goroutine uses the arena %s, which ends when the handler returns"
	inHandler    = "a goroutine uses %s, memory of the request's arena, which ends when the handler returns"
)

// borrows reports whether whoever runs a function ends the arena of its context when it
// returns.
func (e *engine) borrows() bool {
	sv := e.program.survey
	return sv.lends && (e.root.isHandler(sv) || e.root.isInterceptor(sv) || e.root.answersCalls()) ||
		sv.takes && e.program.isLoneHandler(e.root)
}

// isInterceptor reports whether a function that is given to others is an interceptor of
// the calls of a gRPC server.
func (c *Code) isInterceptor(sv *survey) bool {
	for _, p := range c.Params {
		if p.Type == callInfo {
			return sv.values[c.Name]
		}
	}
	return false
}

// answersCalls reports whether a function is a method of a gRPC service, whose type embeds
// the methods that generated code provides.
func (c *Code) answersCalls() bool {
	if c.src == nil || c.src.Signature.Recv() == nil || len(c.Params) != 3 || c.Params[1].Type != "context.Context" ||
		c.src.Signature.Results().Len() != 2 {
		return false
	}
	t := c.src.Signature.Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Embedded() && strings.HasPrefix(f.Name(), "Unimplemented") && strings.HasSuffix(f.Name(), "Server") {
			return true
		}
	}
	return false
}

// returnsBorrowed ends the arenas of the request when its handler returns, and reports the
// goroutines that go on with them.
func (e *engine) returnsBorrowed(x exit) {
	if !e.borrows() {
		return
	}
	for _, id := range sortedKeys(x.s.objs) {
		if o := e.objects[id]; e.isBorrowed(o) && x.s.objs[id].dead == 0 {
			e.goesOn(x.s, id)
			x.s.threads = nil
			e.ends(x.s, to(ref{id, ""}), none, freed, 0)
		}
	}
}

// isBorrowed reports whether an object is the arena of a context.
func (e *engine) isBorrowed(o *object) bool {
	return o.kind == anArena && o.of != nil && strings.HasSuffix(o.of.path, ofContext)
}

// goesOn reports the goroutines that use an arena or its memory, and for which the function
// waits on no path.
func (e *engine) goesOn(s *state, arena int) {
	for _, t := range s.threads {
		if e.joined[t.at] {
			continue
		}
		for _, o := range sortedKeys(t.uses) {
			u := t.uses[o]
			if o != arena && s.objs[o].arena != arena || s.objs[o].lost || u.worker {
				continue
			}
			at := u.at
			for len(at) > 1 && !e.inside(at) {
				at = at[:len(at)-1]
			}
			c := &candidate{kind: Share, at: at, obj: o, name: e.nameAt(s, none, o), text: inHandler}
			if o == arena {
				c.text = afterHandler
			}
			e.fault(s, c)
		}
	}
}

// outlivesRequest reports whether a place that got memory of an arena is still there when
// the handler has returned: a variable of the package, the handler itself, or a variable that it
// captured. The request and the response end with it.
func (e *engine) outlivesRequest(holder cell, arena int) bool {
	if !e.isBorrowed(e.objects[arena]) || e.readsLate(holder) {
		return true
	}
	key := e.objects[e.base(holder.obj)].key
	for i, p := range e.root.Params {
		isReceiver := i == 0 && e.root.src != nil && e.root.src.Signature.Recv() != nil
		if (isReceiver || i >= len(e.root.Params)-e.root.Free) && key == parameterKey(i, p) {
			return true
		}
	}
	return strings.HasPrefix(key, "global ")
}
