package rows

import (
	"fmt"
	"strconv"
	"strings"
)

type text string

type record struct {
	name string
	port int
	note string
}

func (r record) title() string { return strings.Title(r.name) }

func (r *record) rename() string {
	r.name = "other"
	return r.name
}

func row(dir, name string) string {
	s := dir + "/" // want `3 statements in a row copy the string s`
	s += name
	s += ".go"
	return s
}

func calls(r record) (n int, err error) {
	var s string
	if r.port > 0 {
		s = ";"
	}
	s += r.title() + "\t"          // want `3 statements in a row copy the string s`
	s += fmt.Sprint(r.port) + "\t" // the port
	// A note ends it.
	s += r.title()
	return fmt.Println(s)
}

func fields(r *record) string {
	s := "[" + r.name // want `3 statements in a row copy`
	s = s + ":" + strconv.Itoa(len(r.note))
	s += r.note
	return s
}

func constantFirst(r record) string {
	s := "name: " // want `3 statements in a row copy`
	s += r.name
	s += ", note: " + r.note
	return s
}

func inside(all []record, use func(string)) {
	for _, r := range all {
		s := r.name + ":" // want `2 statements in a row copy`
		s += r.note
		use(s)
	}
}

func written(names []text) text {
	s := text("<") // want `3 statements in a row copy`
	s += names[0]
	s += ">"
	return s
}

// The fields are read before a call that changes one of them.
func changed(r *record) string {
	s := "[" + r.name // want `2 statements in a row copy`
	s += r.rename()
	return s
}

// A global variable may change in the call.
var global string

func globally(set func() string) string {
	s := global + "=" // want `2 statements in a row copy`
	s += set()
	return s
}

// A slice that is too short panics before the call.
func panicky(names []string, set func() string) string {
	s := "[" + names[3] // want `2 statements in a row copy`
	s += set()
	return s
}

// A function that is deferred sees how far the row has come.
func deferred(names []string, set func() string) (s string) {
	defer func() { recover() }()
	s = "[" + set() // want `2 statements in a row copy`
	s += set()
	return s
}

func caught(set func() string, say func(string)) {
	s := "["
	defer func() { say(s) }()
	s += set() // want `2 statements in a row copy`
	s += set()
}

// The two statements stand on one line, which is why gofmt would change this file.
func oneLine(a, b string) string {
	s := a + b; s += a // want `2 statements in a row copy`
	return s
}

func parentheses(a, b string) string {
	s := a + b // want `2 statements in a row copy`
	s = (s + a) + b
	return s
}
