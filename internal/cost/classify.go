package cost

import "github.com/heapwright/heapwright/internal/profile"

// Classifier sorts the stacks of one dictionary. It remembers the class of each; it
// serves one goroutine.
type Classifier struct {
	dict   *profile.Dict
	rules  []lazyRule // FunctionID → its rule
	stacks []uint8    // StackID → the class + 1; 0 is not known yet
}

// lazyRule is the rule of a function, once it was asked for.
type lazyRule struct {
	asked, assist bool
	rule          rule
}

// NewClassifier returns a classifier of stacks in the dictionary.
func NewClassifier(d *profile.Dict) *Classifier {
	return &Classifier{dict: d, rules: make([]lazyRule, d.NumFunctions()), stacks: make([]uint8, d.NumStacks())}
}

// Class returns the class of the time that was sampled with a stack. The stack
// must have been in the dictionary when the classifier was made.
func (c *Classifier) Class(stack profile.StackID) Class {
	if c.stacks[stack] == 0 {
		c.stacks[stack] = uint8(c.classify(stack)) + 1
	}
	return Class(c.stacks[stack] - 1)
}

func (c *Classifier) classify(stack profile.StackID) Class {
	const undecided = numClasses
	class, cleared, own := undecided, false, false
	for frame := range c.dict.Frames(stack) {
		k := c.of(frame.Function)
		switch {
		case k.assist:
			return Assist
		case k.rule == foreign:
			own = true
		case k.rule == clears:
			cleared = true
		case k.rule >= isClass && class == undecided && !own:
			class = Class(k.rule - isClass)
		}
	}
	switch {
	case class != undecided && cleared && class.Malloc():
		return Zeroing
	case class != undecided:
		return class
	case own:
		return Own
	}
	return OtherRuntime
}

func (c *Classifier) of(f profile.FunctionID) lazyRule {
	k := &c.rules[f]
	if !k.asked {
		k.asked = true
		k.rule, k.assist = ruleOf(c.dict.FunctionName(f))
	}
	return *k
}

// Shares returns the sum of a column by class.
func Shares(p *profile.Profile, column int) []int64 {
	c, sums := NewClassifier(p.Dict), make([]int64, numClasses)
	for row, stack := range p.Stacks {
		sums[c.Class(stack)] += p.Values[column][row]
	}
	return sums
}
