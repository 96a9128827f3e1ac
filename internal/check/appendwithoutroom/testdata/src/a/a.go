package a

import (
	"fmt"
)

type user struct {
	name string
	age  int
}

type names []string

func nilSlice(users []user) []string {
	var out []string
	for _, u := range users {
		out = append(out, u.name) // want `append grows out to a length that is known`
	}
	return out
}

func emptyLiteral(users []user) []string {
	out := []string{}
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
	}
	return out
}

func emptyMake(users []user) []string {
	out := make([]string, 0)
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
	}
	return out
}

func namedType(users []user) names {
	out := names{}
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
	}
	return out
}

func conversion(users []user) names {
	out := names(nil)
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
	}
	return out
}

func overMap(m map[string]int) []string {
	var keys []string
	// The order is random.
	for k := range m {
		keys = append(keys, k) // want `append grows keys`
	}
	return keys
}

func overArray(a *[16]int) (out []int) {
	var all []int
	for _, n := range a {
		all = append(all, n) // want `append grows all`
	}
	return all
}

func overInt(n int) []int {
	squares := []int{}
	for i := range n {
		squares = append(squares, i*i) // want `append grows squares`
	}
	return squares
}

func overConstant() []int {
	var squares []int
	for i := range 100 {
		squares = append(squares, i*i) // want `append grows squares`
	}
	return squares
}

func overInt64(n int64) []int64 {
	var squares []int64
	for i := range n {
		squares = append(squares, i*i) // want `append grows squares`
	}
	return squares
}

func counted(users []user) []string {
	var out []string
	for i := 0; i < len(users); i++ {
		out = append(out, users[i].name) // want `append grows out`
	}
	return out
}

func countedTo(n int) []int {
	var out []int
	for i := 0; i < n; i++ {
		out = append(out, i) // want `append grows out`
	}
	return out
}

func pairs(users []user) []any {
	var out []any
	for _, u := range users {
		out = append(out, u.name, u.age) // want `append grows out`
	}
	return out
}

func twice(users []user) []string {
	var out []string
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
		out = append(out, fmt.Sprint(u.age))
	}
	return out
}

func branches(users []user) []string {
	var out []string
	for _, u := range users {
		if u.age > 17 {
			out = append(out, u.name) // want `append grows out`
		} else {
			out = append(out, "a child")
		}
	}
	return out
}

func switches(users []user) []string {
	var out []string
	for _, u := range users {
		switch {
		case u.age > 17:
			out = append(out, u.name) // want `append grows out`
		default:
			out = append(out, "a child")
		}
	}
	return out
}

// A break of a nested statement leaves only that one.
func nested(rows [][]int) []int {
	var sums []int
	for _, row := range rows {
		sum := 0
		for _, n := range row {
			if n < 0 {
				break
			}
			sum += n
		}
		sums = append(sums, sum) // want `append grows sums`
	}
	return sums
}

func inLoop(rows [][]int) (all [][]int) {
	for _, row := range rows {
		var copied []int
		for _, n := range row {
			copied = append(copied, n) // want `append grows copied`
		}
		all = append(all, copied) // want `append grows all`
	}
	return all
}

func generic[K comparable, V any](m map[K]V) []V {
	var out []V
	for _, v := range m {
		out = append(out, v) // want `append grows out`
	}
	return out
}

type group struct{ users []user }

func (g *group) method() []string {
	var out []string
	for _, u := range g.users {
		out = append(out, u.name) // want `append grows out`
	}
	return out
}

func closure(users []user) func() []string {
	return func() []string {
		var out []string
		for _, u := range users {
			out = append(out, u.name) // want `append grows out`
		}
		return out
	}
}

func deferred(users []user, print func([]string)) {
	defer func() {
		var out []string
		for _, u := range users {
			out = append(out, u.name) // want `append grows out`
		}
		print(out)
	}()
}

func switched(users []user, kind int) []string {
	switch kind {
	case 1:
		var out []string
		for _, u := range users {
			out = append(out, u.name) // want `append grows out`
		}
		return out
	}
	return nil
}

func several(users []user) ([]string, []int) {
	var (
		out  []string
		ages []int
	)
	for _, u := range users {
		out = append(out, u.name)  // want `append grows out`
		ages = append(ages, u.age) // want `append grows ages`
	}
	return out, ages
}

// The length of a call's result is known before the loop. Another call may return
// another, so the fix keeps it.
func call(load func() []user) []string {
	var out []string
	for _, u := range load() {
		out = append(out, u.name) // want `append grows out`
	}
	return out
}

func (u *user) GetFriends() []user { return nil }

func listed(u *user) []string {
	out := []string{}
	for _, f := range u.GetFriends() {
		out = append(out, f.name) // want `append grows out`
	}
	return out
}

func nameTaken(u *user, friends int) ([]string, int) {
	out := make([]string, 0)
	for _, f := range u.GetFriends() {
		out = append(out, f.name, "") // want `append grows out`
	}
	return out, friends
}

// A goto would take another friend's friends. There is no fix.
func again(u *user) []string {
	var out []string
again:
	for _, f := range u.GetFriends() {
		out = append(out, f.name) // want `append grows out`
	}
	if len(out) == 0 {
		u = new(user)
		goto again
	}
	return out
}

// The call is one of the slice itself: it must stay behind its declaration.
func itself(grow func([]string) []string) []string {
	var out []string
	for _, s := range grow(out) {
		out = append(out, s)
	}
	return out
}

func shadowed(users []user, slices int) []string {
	var out []string
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
	}
	return out[:slices]
}

func shadowedLen(users []user, len int) []string {
	out := []string{}
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
	}
	return out[:len]
}

func comment(users []user) []string {
	out := []string{ /* none yet */ }
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
	}
	return out
}

func labeled(users []user) []string {
	var out []string
users:
	for _, u := range users {
		out = append(out, u.name) // want `append grows out`
	}
	if len(out) == 0 {
		goto users
	}
	return out
}

func typedConstant() []int64 {
	const n int64 = 100
	var squares []int64
	for i := range n {
		squares = append(squares, i*i) // want `append grows squares`
	}
	return squares
}
