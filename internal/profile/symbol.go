package profile

import "iter"

// Mapping is a part of an address space: a binary, a library, the kernel.
type Mapping struct {
	Start, Limit, Offset uint64 // addresses; offset in the file
	File, BuildID        string
	Has                  Symbols
}

// Symbols says how far the locations of a mapping are symbolized.
type Symbols uint32

const (
	HasFunctions Symbols = 1 << iota
	HasFilenames
	HasLineNumbers
	HasInlineFrames
)

// Function is a function of the profiled program.
type Function struct {
	Name       string // the name for people: "net/http.(*conn).serve"
	SystemName string // the linker's name
	File       string // the compiler's name of the file
	StartLine  int64  // 0 is unknown
}

// Location is one program counter. It has a line for each function that was
// inlined there; none where it could not be symbolized.
type Location struct {
	Mapping MappingID
	Address uint64
	Folded  bool // several addresses became one: the line is a guess
}

// Line is a place in source.
type Line struct {
	Function     FunctionID
	Line, Column int64 // 0 is unknown
}

// Frame is one level of a stack as a programmer sees it. A location with n
// inlined calls is n+1 frames; one without symbols is a frame of Function 0.
type Frame struct {
	Location LocationID
	Line
}

// How the tables' words are laid out.
const (
	functionWords = 5 // name, system name, file, start line
	locationWords = 4 // mapping, address, folded; then the lines
	lineWords     = 5 // function, line, column
)

func (d *Dict) Mapping(id MappingID) Mapping {
	w := d.mappings.at(uint32(id))
	if w == nil {
		return Mapping{}
	}
	return Mapping{
		Start: join(w[0], w[1]), Limit: join(w[2], w[3]), Offset: join(w[4], w[5]),
		File: d.text.at(w[6]), BuildID: d.text.at(w[7]), Has: Symbols(w[8]),
	}
}

func (d *Dict) Function(id FunctionID) Function {
	w := d.functions.at(uint32(id))
	if w == nil {
		return Function{}
	}
	return Function{
		Name: d.text.at(w[0]), SystemName: d.text.at(w[1]), File: d.text.at(w[2]),
		StartLine: joinInt(w[3], w[4]),
	}
}

func (d *Dict) Location(id LocationID) Location {
	w := d.locations.at(uint32(id))
	if w == nil {
		return Location{}
	}
	return Location{Mapping: MappingID(w[0]), Address: join(w[1], w[2]), Folded: w[3] != 0}
}

// Lines returns how many lines a location has.
func (d *Dict) Lines(id LocationID) int {
	return max(0, len(d.locations.at(uint32(id)))-locationWords) / lineWords
}

// Line returns one line of a location, from 0, the innermost: the call inlined
// deepest.
func (d *Dict) Line(id LocationID, i int) Line {
	w := d.locations.at(uint32(id))[locationWords+i*lineWords:]
	return Line{Function: FunctionID(w[0]), Line: joinInt(w[1], w[2]), Column: joinInt(w[3], w[4])}
}

// Frames returns the frames of a stack, the leaf first.
func (d *Dict) Frames(id StackID) iter.Seq[Frame] {
	return func(yield func(Frame) bool) {
		for _, loc := range d.Stack(id) {
			n := d.Lines(loc)
			if n == 0 && !yield(Frame{Location: loc}) {
				return
			}
			for i := range n {
				if !yield(Frame{loc, d.Line(loc, i)}) {
					return
				}
			}
		}
	}
}

// FunctionName returns a function's name, without the rest of it.
func (d *Dict) FunctionName(id FunctionID) string {
	if w := d.functions.at(uint32(id)); w != nil {
		return d.text.at(w[0])
	}
	return ""
}
