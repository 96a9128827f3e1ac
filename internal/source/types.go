package source

import "github.com/heapwright/heapwright/internal/source/escape"

// Position is a place in a source file, which it has by the name in profiles.
type Position = escape.Position

// Kind is the syntax that allocates.
type Kind string

// Kinds of allocation.
const (
	BytesToString Kind = "bytes→string"
	StringToBytes Kind = "string→bytes"
	Concat        Kind = "string concatenation"
	Append        Kind = "append"
	MakeSlice     Kind = "make slice"
	MakeMap       Kind = "make map"
	MapInsert     Kind = "map insert"
	MakeChan      Kind = "make chan"
	New           Kind = "new or &T{}"
	Boxing        Kind = "conversion to interface"
	Closure       Kind = "closure"
	MethodValue   Kind = "method value"
	Call          Kind = "call"
	Go            Kind = "go statement"
	Defer         Kind = "defer in a loop"
	Keep          Kind = "value put into a container or sent to a channel" // the line itself allocates nothing
	Slicing       Kind = "part of a slice or string that is kept"          // allocates nothing; keeps the whole alive
	Copy          Kind = "copy of a large value"                           // allocates nothing
	Local         Kind = "large variable of a function"                    // allocates nothing unless it is moved to the heap
)

// Allocation is an expression that may allocate.
type Allocation struct {
	Position
	Kind   Kind
	Text   string // the expression, in one line
	Type   string // what is made or converted; "" if unknown
	Size   int64  // bytes of the value that a Copy copies, or of a Local
	Sized  bool   // a make has a size, or the slice appended to was made with room
	Unread bool   // a make goes to a variable or field that no code of the package uses
	InLoop bool   // a loop of the same function has it
	Callee string // the function that a Call calls, by its name in profiles; "" if unknown
	Apart  bool   // a Call stands in a function literal that a go statement runs
	// Chains says that a Call assigns its first result, of the type Type, to the place that it
	// begins with, which is from outside of the loop around it or lives longer than the function.
	Chains bool
	// SoleWrite says that a Call is the only one of its function that writes to a
	// strings.Builder which the function declares, and that it stands in no loop.
	SoleWrite bool

	// Of the map, slice, container or channel that something is added to.
	Target   string   // "s.entries"
	Owner    string   // the type that has it as a field, without a star; "" for a variable
	Made     Position // the place in this function that makes it; the zero value if there is none
	Room     string   // how many a loop will add, where it says so: "len(rows)"
	Outlives bool     // it is not a variable of this function
	Numbers  bool     // a map whose keys and values refer to no memory
	Wraps    bool     // a Keep whose new value refers to the last one
	Slot     bool     // a Keep in an element of a slice, until that gets another value
	Bounded  bool     // a cache of a library that evicts of its own
	Shrinks  bool     // code of the package deletes from it, clears or replaces it
	Taken    Position // the first place that does so
	Guard    string   // a condition on a counter of the package under which it does so: "c.used > c.max"
	// Uncounted is a struct literal that leaves the field at zero which the counter adds up.
	Uncounted Position
	Popped    Position // a place that takes from the slice and leaves the element in its array
	Emptied   Position // a place that makes the slice empty and leaves all of them there

	// Value is the place in this function that gives its value to a variable that is
	// stored; the zero value if there is none.
	Value Position

	in string // the declared function, as a profile names it
}

// In returns the declared function that the expression is in, as a profile names it.
func (a *Allocation) In() string { return a.in }

// Place is a line of a profile.
type Place struct {
	Function, File string // their names in the profile
	Line           int
}

// Function is the declaration that a line stands in.
type Function struct {
	Name        string // "(*Store).Put"
	First, Last int    // lines
	Request     bool   // it serves requests, by its parameters
	Returns     bool   // it returns something that can refer to memory, an error apart
}
