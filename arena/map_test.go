package arena

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMapAgainstGoMap sets and deletes keys at random, so that probing has to go
// past slots of deleted ones.
func TestMapAgainstGoMap(t *testing.T) {
	t.Run("integers", func(t *testing.T) { againstGoMap(t, func(i int) int { return i }) })
	t.Run("strings", func(t *testing.T) { againstGoMap(t, func(i int) string { return fmt.Sprint("key", i) }) })
	t.Run("interfaces", func(t *testing.T) { againstGoMap(t, func(i int) any { return i }) })
}

func againstGoMap[K comparable](t *testing.T, key func(int) K) {
	a := NewArena()
	defer a.Free()
	random := rand.New(rand.NewPCG(1, 2))
	m, model := NewMap[K, int](a, 0), map[K]int{}
	for step := range 20_000 {
		k := key(random.IntN(300))
		if random.IntN(5) < 2 {
			m.Delete(k)
			delete(model, k)
		} else {
			m.Set(k, step)
			model[k] = step
		}
		k = key(random.IntN(300))
		want, exists := model[k]
		if v, ok := m.Get(k); v != want || ok != exists || m.Len() != len(model) {
			t.Fatalf("step %d: key %v has value %d, %t, want %d, %t; %d keys, want %d", step, k, v, ok, want, exists, m.Len(), len(model))
		}
		if p := m.At(k); (p != nil) != exists || exists && *p != want {
			t.Fatalf("step %d: At key %v is %v, want a pointer to %d", step, k, p, want)
		}
	}
}

func TestNewKeysTakeThePlacesOfDeletedOnes(t *testing.T) {
	m := NewMap[int, int](nil, 0)
	for k := range 6 {
		m.Set(k, k)
	}
	m.Delete(1)
	m.Delete(4)
	m.Set(10, 0)
	m.Set(11, 0)
	var got []int
	for k := range m.All() {
		got = append(got, k)
	}
	if fmt.Sprint(got) != "[0 11 2 3 10 5]" {
		t.Errorf("iterates over %v", got)
	}
}

func TestNilMap(t *testing.T) {
	var m *Map[string, int]
	m.Delete("x")
	m.Clear()
	if _, ok := m.Get("x"); ok || m.Len() != 0 || m.At("x") != nil {
		t.Error("a nil map is not empty")
	}
	for range m.All() {
		t.Error("a nil map yields")
	}
	mustPanic(t, "nil Map", func() { m.Set("x", 1) })
	var zero Map[string, int]
	zero.Delete("x")
	zero.Set("x", 1)
	if v, ok := zero.Get("x"); !ok || v != 1 {
		t.Error("the zero Map")
	}
}

func TestMapOrder(t *testing.T) {
	m := NewMap[int, int](nil, 0)
	var want, got []int
	for i := range 1000 {
		k := i * 7919 % 1000
		m.Set(k, i)
		want = append(want, k)
	}
	m.Set(want[5], -1) // stays where it is
	m.Delete(want[300])
	m.Delete(want[10])
	m.Set(-1, 0)
	want[10] = -1
	want = slices.Delete(want, 300, 301)
	for k := range m.All() {
		got = append(got, k)
	}
	if !slices.Equal(got, want) {
		t.Errorf("iterates over %v, want %v", got, want)
	}
}

func TestMapChangesDuringIteration(t *testing.T) {
	a := NewArena()
	defer a.Free()
	m := NewMap[int, int](a, 0)
	for i := range 100 {
		m.Set(i, i)
	}
	seen := map[int]bool{}
	for k, v := range m.All() {
		if seen[k] {
			t.Fatalf("key %d twice", k)
		}
		seen[k] = true
		if k >= 100 {
			continue
		}
		if k != v && v != -k {
			t.Fatalf("key %d has value %d", k, v)
		}
		m.Delete(k + 1)
		for i := range 20 { // makes the map grow
			m.Set(1000+20*k+i, 0)
		}
		m.Set(k+2, -(k + 2))
	}
	for k := range 100 {
		if seen[k] != (k%2 == 0) {
			t.Errorf("key %d seen: %t", k, seen[k])
		}
	}
}
