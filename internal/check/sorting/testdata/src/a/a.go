package a

import (
	"bytes"
	"sort"
	"strings"
	"time"
)

type user struct {
	name  string
	age   int
	score float64
	born  time.Time
	raw   []byte
	group *group
	done  bool
}

type group struct{ name string }

type small struct{ n int }

func (s small) weight() int    { return s.n }
func (s *small) moves() int    { s.n++; return s.n }
func (s small) String() string { return "" }

type member struct {
	name string
	age  int
}

func field(users []member) {
	sort.Slice(users, func(i, j int) bool { return users[i].age < users[j].age }) // want `sort.Slice swaps elements by reflection: use slices.SortFunc`
}

func descending(users []*user) {
	sort.Slice(users, func(i, j int) bool { return users[i].age > users[j].age }) // want `sort.Slice swaps`
}

func exchanged(users []*user) {
	sort.Slice(users, func(i, j int) bool { return users[j].name < users[i].name }) // want `sort.Slice swaps`
}

func stable(users []*user) {
	sort.SliceStable(users, func(i, j int) bool { return users[i].age < users[j].age }) // want `sort.SliceStable swaps elements by reflection: use slices.SortStableFunc`
}

func plain(names []string) {
	sort.Slice(names, func(i, j int) bool { return names[i] < names[j] }) // want `sort.Slice`
}

func plainDescending(all []int) {
	sort.Slice(all, func(i, j int) bool { return all[i] > all[j] }) // want `sort.Slice`
}

func array(all [9]int) [9]int {
	sort.Slice(all[:], func(i, j int) bool { return all[i] < all[j] }) // want `sort.Slice`
	return all
}

func twoKeys(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			if users[i].age != users[j].age {
				return users[i].age > users[j].age
			}
			return users[i].name < users[j].name
		})
}

func equalFirst(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			if users[i].age == users[j].age {
				return users[i].name < users[j].name
			}
			return users[i].age < users[j].age
		})
}

func threeKeys(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			a, b := users[i], users[j]
			if a.age != b.age {
				return a.age < b.age
			} else if a.name != b.name {
				return a.name < b.name
			}
			return a.score < b.score
		})
}

func threeKeysInTurn(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			u, v := users[i], users[j]
			if u.age != v.age {
				return u.age < v.age
			}
			if !u.born.Equal(v.born) {
				return u.born.After(v.born)
			}
			return u.group.name < v.group.name
		})
}

func lessAndGreater(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			if users[i].age < users[j].age {
				return true
			}
			if users[i].age > users[j].age {
				return false
			}
			return users[i].name < users[j].name
		})
}

func lessOrFalse(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			if users[i].age > users[j].age {
				return true
			}
			return false
		})
}

func or(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			return users[i].age < users[j].age || (users[i].age == users[j].age && users[i].name < users[j].name)
		})
}

func float(users []*user) {
	sort.Slice(users, func(i, j int) bool { return users[i].score > users[j].score }) // want `sort.Slice`
}

func times(users []*user) {
	sort.Slice(users, func(i, j int) bool { return users[i].born.Before(users[j].born) }) // want `sort.Slice`
}

func newest(all []time.Time) {
	sort.Slice(all, func(i, j int) bool { return all[j].Before(all[i]) }) // want `sort.Slice`
}

func texts(users []*user) {
	sort.Slice(users, func(i, j int) bool { return bytes.Compare(users[i].raw, users[j].raw) < 0 }) // want `sort.Slice`
}

func calls(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			return strings.ToLower(users[i].name) < strings.ToLower(users[j].name)
		})
}

func lengths(all [][]int) {
	sort.Slice(all, func(i, j int) bool { return len(all[i]) < len(all[j]) }) // want `sort.Slice`
}

func methods(all []small) {
	sort.Slice(all, func(i, j int) bool { return all[i].weight() < all[j].weight() }) // want `sort.Slice`
}

type owner struct{ users []*user }

func (o *owner) ofField() {
	sort.Slice(o.users, func(i, j int) bool { return o.users[i].age < o.users[j].age }) // want `sort.Slice`
}

func byRank(a []string, rank map[string]int) {
	sort.Slice(a, func(x, y int) bool { return rank[a[x]] < rank[a[y]] }) // want `sort.Slice`
}

func generic[T any](all []struct2[T]) {
	sort.Slice(all, func(i, j int) bool { return all[i].n < all[j].n }) // want `sort.Slice`
}

type struct2[T any] struct {
	n    int
	more *T
}

// Without a fix from here on.

func otherSlice(users []*user, ages []int) {
	sort.Slice(users, func(i, j int) bool { return ages[i] < ages[j] }) // want `sort.Slice`
}

func index(users []*user) {
	sort.Slice(users, func(i, j int) bool { return users[i].age < users[j].age || i < j }) // want `sort.Slice`
}

func otherKeys(users []*user) {
	sort.Slice(users, func(i, j int) bool { return users[i].name < users[j].group.name }) // want `sort.Slice`
}

func notStrict(users []*user) {
	sort.Slice(users, func(i, j int) bool { return users[i].age <= users[j].age }) // want `sort.Slice`
}

func floatFirst(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			if users[i].score != users[j].score {
				return users[i].score < users[j].score
			}
			return users[i].age < users[j].age
		})
}

func callsFirst(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			if strings.ToLower(users[i].name) != strings.ToLower(users[j].name) {
				return strings.ToLower(users[i].name) < strings.ToLower(users[j].name)
			}
			return users[i].age < users[j].age
		})
}

func callsInTheOtherOrder(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			return strings.ToLower(users[i].name) > strings.ToLower(users[j].name)
		})
}

func counts(users []*user) {
	n := 0
	sort.Slice(users, func(i, j int) bool { n++; return users[i].age < users[j].age }) // want `sort.Slice`
}

func moved(all []small) {
	sort.Slice(all, func(i, j int) bool { return all[i].moves() < all[j].moves() }) // want `sort.Slice`
}

func unnamed(all []struct{ n int }) {
	sort.Slice(all, func(i, j int) bool { return all[i].n < all[j].n }) // want `sort.Slice`
}

func shadowed(all []small, slices bool) {
	sort.Slice(all, func(i, j int) bool { return all[i].n < all[j].n }) // want `sort.Slice`
}

func made(load func() []small) {
	all := load()
	sort.Slice(load(), func(i, j int) bool { return all[i].n < all[j].n }) // want `sort.Slice`
}

func variable(all []small, less func(i, j int) bool) {
	sort.Slice(all, less) // want `sort.Slice`
}

func commented(all []small) {
	sort.Slice(all, // want `sort.Slice`
		func(i, j int) bool {
			// The lightest comes first.
			return all[i].n < all[j].n
		})
}

func otherKeyInTheTest(users []*user) {
	sort.Slice(users, // want `sort.Slice`
		func(i, j int) bool {
			if users[i].name != users[j].name {
				return users[i].age < users[j].age
			}
			return users[i].name < users[j].name
		})
}

func bools(users []*user) {
	sort.Slice(users, func(i, j int) bool { return !users[i].done && users[j].done }) // want `sort.Slice`
}

// Not reported from here on.

type large struct {
	n    int
	more [200]byte
}

func copies(all []large) {
	sort.Slice(all, func(i, j int) bool { return all[i].n < all[j].n })
}

func anything(all any, less func(i, j int) bool) {
	sort.Slice(all, less)
}

func init() {
	all := []int{2, 1}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
}
