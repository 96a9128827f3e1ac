// Package counted has loops that add a number which another loop can count before.
package counted

import "strings"

type user struct {
	name  string
	age   int
	tags  []string
	group *group
}

type group struct{ name string }

func filter(users []user) []user {
	var old []user
	for _, u := range users {
		if u.age > 60 {
			old = append(old, u) // want `append grows old to a length that a loop before can count`
		}
	}
	return old
}

func continues(users []user) []string {
	out := []string{}
	for _, u := range users {
		if u.age < 18 || u.name == "" {
			continue
		}
		out = append(out, strings.ToUpper(u.name)) // want `append grows out`
	}
	return out
}

func branches(users []user) []string {
	var out []string
	for i, u := range users {
		if u.age < 18 {
			out = append(out, u.name) // want `append grows out`
		} else if i > 3 {
			out = append(out, u.name, "adult")
		}
	}
	return out
}

func flatten(rows [][]int) []int {
	var all []int
	for _, row := range rows {
		all = append(all, row...) // want `append grows all`
	}
	return all
}

// The elements are behind pointers, but the loop changes nothing else.
func pointers(users []*user) []*user {
	var old []*user
	for _, u := range users {
		if u.age > 60 {
			old = append(old, u) // want `append grows old`
		}
	}
	return old
}

func counted(users []user) []user {
	var old []user
	for i := 0; i < len(users); i++ {
		if users[i].age > 60 {
			old = append(old, users[i]) // want `append grows old`
		}
	}
	return old
}

func named(ns []int) []int {
	var out []int
	for _, n := range ns {
		if n > 0 {
			out = append(out, n) // want `append grows out`
		}
	}
	return out
}

func two(users []user) (int, int) {
	var old, young []user
	for _, u := range users {
		if u.age > 60 {
			old = append(old, u) // want `append grows old`
		} else {
			young = append(young, u) // want `append grows young`
		}
	}
	return len(old), len(young)
}

func taken(users []user) []user {
	var old []user
	for _, u := range users {
		if u.age > 60 {
			old = append(old, u) // want `append grows old`
		}
	}
	n := len(old)
	return old[:n]
}

// Without a fix: n, size and total are there.
func allTaken(users []user, n, size int) (old []user, total int) {
	var found []user
	for _, u := range users {
		if u.age > n+size {
			found = append(found, u) // want `append grows found`
		}
	}
	return found, total
}

func flattened(users []user) []string {
	var tags []string
	for _, u := range users {
		for _, tag := range u.tags {
			tags = append(tags, tag) // want `append grows tags`
		}
	}
	return tags
}

func pairs(users []user) []string {
	var tags []string
	for _, u := range users {
		if u.age > 60 {
			for _, tag := range u.tags {
				if tag != "" {
					tags = append(tags, u.name, tag) // want `append grows tags`
				}
			}
		}
	}
	return tags
}

func leftOver(users []user) (int, int) {
	var old, young []user
	for _, u := range users {
		if u.age > 60 {
			old = append(old, u) // want `append grows old`
			continue
		}
		young = append(young, u) // want `append grows young`
	}
	return len(old), len(young)
}

// Not reported from here on.

// A call may change the other elements.
func changes(users []*user, see func(*user) *user) []*user {
	var old []*user
	for _, u := range users {
		if u.age > 60 {
			old = append(old, see(u))
		}
	}
	return old
}

// The loop writes to the elements.
func writes(users []*user) []*user {
	var old []*user
	for _, u := range users {
		u.age++
		if u.age > 60 {
			old = append(old, u)
		}
	}
	return old
}

// The panic of a nil group comes behind the calls for the elements before.
func panics(users []user, see func(string)) []user {
	var old []user
	for _, u := range users {
		see(u.name)
		if u.group.name != "" {
			old = append(old, u)
		}
	}
	return old
}

func calls(users []user, is func(user) bool) []user {
	var old []user
	for _, u := range users {
		if is(u) {
			old = append(old, u)
		}
	}
	return old
}

func ofIteration(users []user) []user {
	var old []user
	for _, u := range users {
		years := u.age + 1
		if years > 60 {
			old = append(old, u)
		}
	}
	return old
}

func state(users []user) []user {
	var old []user
	last := 0
	for _, u := range users {
		if u.age > last {
			old = append(old, u)
		}
		last = u.age
	}
	return old
}

func overMap(m map[string]int) []string {
	var out []string
	for name, n := range m {
		if n > 0 {
			out = append(out, name)
		}
	}
	return out
}

func leaves(users []user) []user {
	var old []user
	for _, u := range users {
		if u.age < 0 {
			break
		}
		if u.age > 60 {
			old = append(old, u)
		}
	}
	return old
}

func seen(users []user, see func([]user)) []user {
	var old []user
	for _, u := range users {
		if u.age > 60 {
			old = append(old, u)
			see(old)
		}
	}
	return old
}

func sized(users []user) []user {
	old := make([]user, 0, 10)
	for _, u := range users {
		if u.age > 60 {
			old = append(old, u)
		}
	}
	return old
}

func channel(c chan int) []int {
	var all []int
	for n := range c {
		if n > 0 {
			all = append(all, n)
		}
	}
	return all
}

func constant(users []user, all bool) []user {
	var old []user
	for _, u := range users {
		if all {
			old = append(old, u)
		}
	}
	return old
}

func aliased(all []int) []int {
	out := all[:0]
	for _, n := range all {
		if n > 0 {
			out = append(out, n)
		}
	}
	return out
}

func firsts(users []user, most int) []user {
	var out []user
	for i, u := range users {
		if i < most {
			out = append(out, u)
		}
	}
	return out
}
