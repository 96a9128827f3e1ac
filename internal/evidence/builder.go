package evidence

// builder carries a profile's evidence from step to step. Tables by StackID and
// by site are filled by one step and read by later ones.
type builder struct {
	*Evidence
	series
	owners owners
	places []place // StackID → its place
	sites  []Site  // sorted as their first stacks
}

// place is where a stack leaves the program's own code.
type place struct {
	visited bool
	site    int32 // index in builder.sites plus 1; 0: every frame is the runtime's
	copies  bool  // passes through a function whose work vanishes with its allocation
	idle    bool  // marks on a processor that had nothing else to do
	forces  bool  // asks for a collection
}
