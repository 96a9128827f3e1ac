package profile

// Numbers of the contents of a Dict. 0 is the empty stack, the empty label set, and
// no location, function or mapping. They mean nothing outside their Dict, and
// within it two numbers are equal exactly if their contents are.
type (
	StackID    uint32
	LabelsID   uint32
	LocationID uint32
	FunctionID uint32
	MappingID  uint32
)

// Dict is the dictionary that profiles share: text, mappings, functions,
// locations, stacks and label sets, each distinct one once. It only grows. The
// zero Dict is empty and ready for use. Decoding into a Dict excludes every
// other use of it; reading may be concurrent.
type Dict struct {
	text      text
	mappings  table[uint32]
	functions table[uint32]
	locations table[uint32]
	stacks    table[LocationID]
	labels    table[uint32]
}

// NumStacks, NumLocations and NumFunctions return one more than the highest ID in
// use: the length of a slice that is indexed by ID.
func (d *Dict) NumStacks() int    { return d.stacks.len() }
func (d *Dict) NumLocations() int { return d.locations.len() }
func (d *Dict) NumFunctions() int { return d.functions.len() }

// Stack returns the locations of a stack, the leaf first. The slice is the
// dictionary's own and must not be changed.
func (d *Dict) Stack(id StackID) []LocationID { return d.stacks.at(uint32(id)) }

// lo, hi and join store 64-bit numbers in the words of a table.
func lo(x uint64) uint32             { return uint32(x) }
func hi(x uint64) uint32             { return uint32(x >> 32) }
func join(low, high uint32) uint64   { return uint64(low) | uint64(high)<<32 }
func joinInt(low, high uint32) int64 { return int64(join(low, high)) }
