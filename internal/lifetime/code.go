package lifetime

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// An Op is what an instruction does.
type Op uint8

const (
	Alloc     Op = iota // new memory
	Move                // the result is the operand, or one of the operands
	Wrap                // the same in an interface
	Field               // the address of a field
	Index               // the address of an element
	Load                // reads memory at an address
	Store               // writes memory
	Part                // a field or an element of a value that is no address
	Lookup              // an element of a map
	Update              // sets an element of a map
	Next                // the next element of a range
	Compare             // a condition
	Not                 // a negated condition
	Compute             // a new value without references; reads the operands
	Phi                 // one of the operands, by the block from which control came
	Call                // a call; Go and Defer are calls that run elsewhere
	Go                  //
	Defer               //
	Extract             // one of several results
	Closure             // a function with its captured variables
	Send                //
	Receive             //
	Select              //
	Branch              // goes to the first successor if the operand is true
	Return              //
	Panic               //
	RunDefers           //
)

// A Class is what a type may refer to.
type Class uint8

const (
	Scalar Class = iota // nothing
	Text
	Reference
	Arena
	Whole // a struct or an array with references
)

// An Operand is a register, or the complement of the index of a constant.
type Operand int32

// A Constant is a value that a function mentions.
type Constant struct {
	Kind ConstantKind
	Name string // the name of a global or a function, or the text of the constant
}

// A ConstantKind is what a constant is.
type ConstantKind uint8

const (
	Other ConstantKind = iota
	Nil
	True
	False
	Number
	Global
	Function
)

// Code is a function in the form in which the engine follows it, and in which facts
// carry it to other packages.
type Code struct {
	Name   string
	Params []Param // the receiver, the parameters, then the captured variables
	Free   int     // the number of captured variables
	Consts []Constant
	Blocks []Block
	Regs   int
	// Exposes is set if the function uses or ends memory of its callers, or gives them
	// memory that ends.
	Exposes bool
	// Long is set for a function that is too long to be followed by other packages, which know
	// no instructions of it. Frees is set if it frees an arena.
	Long, Frees bool

	src  *ssa.Function        // nil for functions of other packages
	defs []*Instr             // the instruction that sets a register
	live [][]bool             // the registers that a block or those after it read
	into map[Operand][]*Instr // see stores
	// keeps is filled when the function has been followed.
	keeps []keeping
}

// A Param is a parameter.
type Param struct {
	Name  string
	Type  string
	Class Class
}

// A Block is a basic block.
type Block struct {
	Instrs       []Instr
	Preds, Succs []int
}

// An Instr is an instruction.
type Instr struct {
	Op     Op
	Dst    Operand // a register, or none
	X      []Operand
	Name   string // field, function, operator or kind of move
	Class  Class  // result, or value that is stored
	Type   string // new memory, or the value in an interface
	Flag   bool   // Call: it goes through an interface; Load, Lookup: with ok; Alloc: the array of a list
	Number int    // index of a result, or their number
	Range  bool   // Call: it runs the body of a loop

	src  ssa.Instruction
	vals []ssa.Value
}

const none Operand = 1<<31 - 1

// A spot is the place of an instruction in a function.
type spot struct{ block, index int }

// instrs are the instructions of all blocks.
func (c *Code) instrs() iter.Seq2[spot, *Instr] {
	return func(yield func(spot, *Instr) bool) {
		for b := range c.Blocks {
			for i := range c.Blocks[b].Instrs {
				if !yield(spot{b, i}, &c.Blocks[b].Instrs[i]) {
					return
				}
			}
		}
	}
}

// spotOf is the place of an instruction, if the function has it.
func (c *Code) spotOf(in *Instr) (spot, bool) {
	for at, other := range c.instrs() {
		if other == in {
			return at, true
		}
	}
	return spot{}, false
}

// value returns the value of an instruction in SSA form, if the package has it.
func (in *Instr) value() (ssa.Value, bool) {
	v, ok := in.src.(ssa.Value)
	return v, ok && v.Referrers() != nil
}

func isDebug(in ssa.Instruction) bool { _, ok := in.(*ssa.DebugRef); return ok }
