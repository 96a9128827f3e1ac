// Package cost shows where CPU time goes: it sorts the stacks of a CPU profile into the
// cost classes of memory management and the program's own code.
//
// The stance: a sample belongs to the class of its innermost frame that has one, because
// the runtime nests (an allocation may sweep, sweeping may scavenge). Costs that a
// profile cannot show are not guessed: a page fault is sampled at the instruction that
// touched the page, and a cache miss caused by marking in the code that suffers it.
// Rules name only functions of runtime packages, so a program's own names never matter.
// They are tested with profiles of every Go from 1.20 to 1.27.
package cost

// Class is a kind of work that CPU time was spent on.
type Class uint8

const (
	Own          Class = iota // the program and its libraries, with the runtime's work for maps, channels and copies
	MallocSmall               // allocating objects up to 32 KiB, finding a span for them included
	MallocLarge               // allocating objects above 32 KiB
	Zeroing                   // clearing memory for a new object
	Mark                      // marking by the collector's own workers, its start and end
	Assist                    // marking that an allocation had to do
	Sweep                     // making unmarked memory free, in the background or by an allocation
	Scavenge                  // giving memory back to the system
	WriteBarrier              // the cost of pointer writes while the collector marks
	PageFaults                // getting memory from the system: mapping it, as far as the runtime asks for it
	OtherRuntime              // scheduler, timers, growing stacks, signals
	numClasses
)

var names = [numClasses]string{"own code", "malloc small", "malloc large", "zeroing", "GC mark", "GC assist",
	"GC sweep", "scavenge", "write barrier", "page faults", "other runtime"}

// String returns the name for people.
func (c Class) String() string { return names[c] }

// Classes returns all classes in the order in which they are shown.
func Classes() []Class {
	all := make([]Class, numClasses)
	for i := range all {
		all[i] = Class(i)
	}
	return all
}

// Malloc reports whether the class is part of allocating, which ends with the
// allocation itself.
func (c Class) Malloc() bool { return c == MallocSmall || c == MallocLarge || c == Zeroing }

// Collection reports whether the class is part of collecting garbage, which falls
// with the bytes allocated and the live heap.
func (c Class) Collection() bool {
	return c == Mark || c == Assist || c == Sweep || c == WriteBarrier
}
