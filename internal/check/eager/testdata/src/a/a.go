package a

import (
	"errors"
	"fmt"
	"strconv"
)

func check(string) error { return nil }

func late(prefix, name string, enabled bool) error {
	key := prefix + "." + name // want `only a branch needs key: make it there`
	if !enabled {
		return nil
	}
	if err := check(name); err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	return nil
}

func next(n int) error {
	message := "bad number " + strconv.Itoa(n) // want `only a branch needs message`
	if n < 0 {
		return errors.New(message)
	}
	return nil
}

func formatted(n int, s string) {
	text := fmt.Sprintf("%d %s", n, s) // want `only a branch needs text`
	if n > 7 {
		// Comments stay.
		println(text)
		println(text)
	}
}

// Not reported from here on.

func cond(n int) {
	s := strconv.Itoa(n)
	if s != "7" {
		println(s)
	}
}

func otherwise(n int) {
	s := strconv.Itoa(n)
	if n > 7 {
		println(s)
	} else {
		println(s)
	}
}

func after(n int) string {
	s := strconv.Itoa(n)
	if n > 7 {
		println(s)
	}
	return s
}

func assigned(n int) {
	s := strconv.Itoa(n)
	n++
	if n > 7 {
		println(s)
	}
}

func captured(n int, f func(func())) {
	s := strconv.Itoa(n)
	f(func() { n++ })
	if n > 7 {
		println(s)
	}
}

var global string

func ofPackage(n int) {
	s := global + "."
	change()
	if n > 7 {
		println(s)
	}
}

func change() { global = "x" }

type name string

func (n name) String() string { global += "x"; return string(n) }

func method(n name, ok bool) {
	s := fmt.Sprint(n)
	if ok {
		println(s)
	}
}

func shadowed(n int) {
	s := strconv.Itoa(n)
	if n := check(""); n != nil {
		println(s)
	}
}

func looped(ns []int, n int) {
	s := strconv.Itoa(n)
	for range ns {
		println(s)
	}
}

func commented(n int) {
	// The text of the message.
	s := strconv.Itoa(n)
	if n > 7 {
		println(s)
	}
}

func field(p *struct{ s string }, ok bool) {
	s := p.s + "."
	if ok {
		println(s)
	}
}

func inInit(n int) {
	s := strconv.Itoa(n)
	if n = 3; n > 7 {
		println(s)
	}
}

func redeclared(n int) {
	s := strconv.Itoa(n)
	if n > 7 {
		println(s)
		s := 7
		println(s)
	}
}

func free(ok bool) {
	s := "a" + "b"
	if ok {
		println(s)
	}
}
