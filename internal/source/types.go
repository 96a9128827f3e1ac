package source

// Position is a place in a source file.
type Position struct {
	File         string // as profiles name it
	Line, Column int    // from 1; column 0 is unknown
}

// Escape is why the compiler put something on the heap, by go build -gcflags=-m=2.
type Escape struct {
	Position
	What   string   // the expression as the compiler prints it: "make([]byte, n)", "moved to heap: x"
	Reason string   // in one line: "interface-converted", "flow to a return value"
	Flow   []string // the steps that the compiler gives, outermost first
}

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
)

// Allocation is an expression that may allocate.
type Allocation struct {
	Position
	Kind   Kind
	Text   string // the expression, in one line
	Sized  bool   // a make has a size, or the slice appended to was made with room
	InLoop bool   // of the same function
	Callee string // of a Call, as a profile names the function; "" if unknown
}

// Index answers questions about source by place. A nil Index knows nothing. It
// may be read from many goroutines.
type Index struct{}

// Line returns a source line without white space around it, and false where it
// is not known.
func (x *Index) Line(file string, line int) (string, bool) { return "", false }

// Owns says whether a function of that file is of the program's own modules.
// known is false where the index cannot tell.
func (x *Index) Owns(function, file string) (own, known bool) { return false, false }

// Escapes returns what the compiler put on the heap in a line, calls inlined
// there included.
func (x *Index) Escapes(file string, line int) []Escape { return nil }

// Allocations returns what may allocate in a line, by its syntax.
func (x *Index) Allocations(file string, line int) []Allocation { return nil }
