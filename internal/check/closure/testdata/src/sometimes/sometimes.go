// Package sometimes has closures that some iterations do not make.
package sometimes

var kept []func()

func keep(f func()) { kept = append(kept, f) }

type visitor struct{ n int }

func (v *visitor) visit() { v.n++ }

func branch(n int) {
	for i := range n {
		if i%2 == 0 {
			keep(func() { println(n) }) // want `the closure captures`
		}
	}
}

func chosen(ok bool, v *visitor, names []string) {
	for range names {
		f := keep
		if ok {
			keep(v.visit) // want `the method value`
		}
		f(nil)
	}
}

func guard(names []string, v *visitor) {
	for _, name := range names {
		if name == "" {
			continue
		}
		keep(v.visit) // want `the method value`
	}
}

func cases(names []string, n int) {
	for _, name := range names {
		switch name {
		case "a":
			keep(func() { println(n) }) // want `the closure captures`
		case "b":
		}
	}
}
