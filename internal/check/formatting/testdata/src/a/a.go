package a

import (
	"fmt"
	"os"
)

const decimal = "%d"

type user struct {
	name string
	age  int
}

func integer(n int) string { return fmt.Sprintf("%d", n) } // want `use strconv.Itoa`

func constant(n int) string { return fmt.Sprintf(decimal, n) } // want `use strconv.Itoa`

func sprint(n int) string { return fmt.Sprint(n) } // want `use strconv.Itoa`

func value(n int) string { return fmt.Sprintf("%v", n) } // want `use strconv.Itoa`

func small(a int8, b int16, c rune, d byte, e uint16) {
	println(
		fmt.Sprintf("%d", a), // want `use strconv.Itoa`
		fmt.Sprint(b),        // want `use strconv.Itoa`
		fmt.Sprintf("%d", c), // want `use strconv.Itoa`
		fmt.Sprintf("%d", d), // want `use strconv.Itoa`
		fmt.Sprintf("%v", e), // want `use strconv.Itoa`
	)
}

func wide(a int64, b uint64, c uint, d uint32, e uintptr) {
	println(
		fmt.Sprintf("%d", a), // want `use strconv.FormatInt`
		fmt.Sprintf("%d", b), // want `use strconv.FormatUint`
		fmt.Sprintf("%d", c), // want `use strconv.FormatUint`
		fmt.Sprintf("%d", d), // want `use strconv.FormatUint`
		fmt.Sprint(e),        // want `use strconv.FormatUint`
	)
}

func boolean(ok bool) string {
	if ok {
		return fmt.Sprintf("%t", ok) // want `use strconv.FormatBool`
	}
	return fmt.Sprint(ok) // want `use strconv.FormatBool`
}

func str(s, t string) []string {
	return []string{
		fmt.Sprintf("%s", s),       // want `use the string itself`
		fmt.Sprint(s),              // want `use the string itself`
		fmt.Sprintf("%v", s+t)[1:], // want `use the string itself`
	}
}

func element() string { return fmt.Sprintf("%s", os.Args[0]) } // want `use the string itself`

func loop(users []user) (all []string) {
	for _, u := range users {
		all = append(all, fmt.Sprintf("%d", u.age+1)) // want `use strconv.Itoa`
	}
	return all
}

func (u *user) method() string { return fmt.Sprintf("%d", u.age) } // want `use strconv.Itoa`

func closure() func(int) string {
	return func(n int) string { return fmt.Sprint(n) } // want `use strconv.Itoa`
}

func deferred(n int, use func(string)) {
	defer use(fmt.Sprintf("%d", n)) // want `use strconv.Itoa`
}

func generic[T any](_ T, n int) string { return fmt.Sprint(n) } // want `use strconv.Itoa`

// Without a fix: strconv is another thing here.
func shadowed(strconv int) string {
	return fmt.Sprint(strconv) // want `use strconv.Itoa`
}

func shadowedType(n int8) string {
	type int string
	return string(int(fmt.Sprint(n))) // want `use strconv.Itoa`
}

func comment(n int) string {
	return fmt.Sprint( /* the number */ n) // want `use strconv.Itoa`
}

func other(x any) { fmt.Println(x) }

func itself(s string) string {
	s = fmt.Sprint(s) // want `use the string itself`
	return s
}

func (u *user) rename() string { u.name = "new"; return u.name }

// Without a fix: the compiler would read the name after the call.
func order(u *user, names []string) (string, []string) {
	first := fmt.Sprint(u.name) + u.rename()                         // want `use the string itself`
	list := []string{fmt.Sprintf("%s", names[0]), u.rename()}        // want `use the string itself`
	return fmt.Sprintf("%s", u.name+first), append(list, u.rename()) // want `use the string itself`
}

func shared() (string, string) {
	s := "old"
	change := func() string { s = "new"; return s }
	return fmt.Sprint(s), change() // want `use the string itself`
}

func received(u *user, done chan string) string {
	return fmt.Sprint(u.name) + <-done // want `use the string itself`
}

// With a fix: no call can change these.
func ordered(u user, s string, rename func() string) []string {
	if fmt.Sprint(u.name) == "" { // want `use the string itself`
		rename()
	}
	return []string{
		fmt.Sprint(s) + rename(),            // want `use the string itself`
		fmt.Sprint(u.name+s) + rename(),     // want `use the string itself`
		fmt.Sprint(os.Getenv(s)) + rename(), // want `use the string itself`
	}
}

// With a fix: the calls around it come later.
func around(u *user, use func(string) string) string {
	return use(use(fmt.Sprint(u.name))) // want `use the string itself`
}

// Without a fix: go vet reports u.name = u.name.
func both(u *user, n int) int {
	u.name, n = fmt.Sprint(u.name), 1 // want `use the string itself`
	return n
}
