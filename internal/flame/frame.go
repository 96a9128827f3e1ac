package flame

import (
	"hash/fnv"

	"github.com/heapwright/heapwright/internal/owner"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/termtext"
)

// Frame is a function, or a binary where its functions are not known.
type Frame struct {
	Name    string // harmless to show
	Package string
	File    string // the compiler's name of the file; "" is unknown
	Line    int64  // the first line of the function; 0 is unknown
	Owner   owner.Owner

	file string // File, before it was made harmless
}

// newFrame describes a function by its name in the profile.
func newFrame(name string, f profile.Function) Frame {
	pkg := profile.PackageOf(name)
	return Frame{
		Name: termtext.Harmless(name), Package: termtext.Harmless(pkg),
		File: termtext.Harmless(f.File), Line: f.StartLine, Owner: owner.Of(name, f.File), file: f.File,
	}
}

// shades is how many colours an owner has, so that neighbours of different
// packages differ.
const shades = 6

// tone is the number of a frame's colour, which its package determines.
func (f Frame) tone() int {
	h := fnv.New32a()
	h.Write([]byte(f.Package))
	return int(f.Owner)*shades + int(h.Sum32()%shades)
}
