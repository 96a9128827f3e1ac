package lifetime

import (
	"fmt"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// receivesStream reports whether a call receives a message in an arena, which the next
// one frees.
func (p *program) receivesStream(in *Instr, name string) bool {
	return p.survey.freeOnReceive && in.Flag && in.Number == 2 && strings.HasSuffix(name, ").Recv")
}

// nextMessage receives a message from a stream.
func (e *engine) nextMessage(s *state, in *Instr, args []value) value {
	e.passes(s, in, args)
	if len(args[0].refs) != 1 || args[0].bits&lost != 0 {
		return e.resultOf(s, in)
	}
	r := args[0].refs[0]
	arena := e.object(fmt.Sprint("messages of ", r.obj, r.path))
	arena.kind, arena.name, arena.outside = anArena, "of the stream", true
	if _, begun := s.objs[arena.id]; begun {
		e.ends(s, to(ref{arena.id, ""}), none, reset, 0)
	} else {
		s.objs[arena.id] = status{}
	}
	o := e.inArena(s, arena.id, "received")
	o.typ = decodedMark
	v := e.resultOf(s, in)
	v.parts[0] = value{refs: to(ref{o.id, ""}).refs, bits: null}
	return v
}

// unaryHandler is the type of the handlers that an interceptor of gRPC calls.
const unaryHandler = "google.golang.org/grpc.UnaryHandler"

// handles reports whether a call hands a request on to the handlers.
func (in *Instr) handles() bool {
	return len(in.vals) > 0 && in.vals[0] != nil && isValueOf(in.vals[0], unaryHandler)
}

func isValueOf(v ssa.Value, typ string) bool { return typeName(v.Type()) == typ }
