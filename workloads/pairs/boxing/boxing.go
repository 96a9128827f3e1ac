// Package boxing is a pair for the rule on values that are put into
// interfaces: the stack of a small machine that runs rules. Before, it holds
// any, and each number that is pushed is an object; after, it holds a struct.
package boxing

import "math"

// code is one instruction.
type code struct {
	op byte // 'n' pushes number, 'v' pushes the input, others take two and push one
	n  float64
}

func before(program []code, input float64) any {
	stack := make([]any, 0, 16)
	for _, c := range program {
		switch c.op {
		case 'n':
			stack = append(stack, c.n) // want: boxing
		case 'v':
			stack = append(stack, input) // want: boxing
		default:
			x, y := stack[len(stack)-2], stack[len(stack)-1]
			stack = stack[:len(stack)-2]
			a, ok1 := x.(float64)
			b, ok2 := y.(float64)
			if !ok1 || !ok2 {
				stack = append(stack, false)
				continue
			}
			if c.op == '<' {
				stack = append(stack, a < b)
			} else {
				stack = append(stack, apply(c.op, a, b)) // want: boxing
			}
		}
	}
	return stack[0]
}

// value is a number or a truth.
type value struct {
	number float64
	truth  bool
	kind   byte // 'n' or 't'
}

func after(program []code, input float64) any {
	stack := make([]value, 0, 16)
	for _, c := range program {
		switch c.op {
		case 'n':
			stack = append(stack, value{number: c.n, kind: 'n'})
		case 'v':
			stack = append(stack, value{number: input, kind: 'n'})
		default:
			a, b := stack[len(stack)-2], stack[len(stack)-1]
			stack = stack[:len(stack)-2]
			if a.kind != 'n' || b.kind != 'n' {
				stack = append(stack, value{kind: 't'})
				continue
			}
			if c.op == '<' {
				stack = append(stack, value{truth: a.number < b.number, kind: 't'})
			} else {
				stack = append(stack, value{number: apply(c.op, a.number, b.number), kind: 'n'})
			}
		}
	}
	if v := stack[0]; v.kind == 'n' {
		return v.number
	}
	return stack[0].truth
}

func apply(op byte, a, b float64) float64 {
	switch op {
	case '+':
		return a + b
	case '*':
		return a * b
	case 'm':
		return math.Max(a, b)
	}
	return math.Pow(a, b)
}
