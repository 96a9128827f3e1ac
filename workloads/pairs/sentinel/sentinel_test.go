package sentinel

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/heapwright/heapwright/workloads/program/cure"
)

// stores are one with the popular users, who come first, and one with nearly all.
func stores(users int) []*store {
	r := rand.New(rand.NewPCG(6, 1))
	popular := &store{name: "popular", rows: map[string]*profile{}, hidden: map[string]bool{}}
	base := &store{name: "base", rows: map[string]*profile{}, hidden: map[string]bool{}}
	for i := range users {
		user := fmt.Sprintf("user-%d", i)
		p := &profile{name: "Name <" + user + ">", avatar: "/avatars/" + user + ".png?a&b", score: r.IntN(100_000)}
		if r.IntN(20) > 0 {
			base.rows[user] = p
			if i < users/10 {
				popular.rows[user] = p
			}
		}
		if r.IntN(100) == 0 {
			base.hidden[user], popular.hidden[user] = true, true
		}
	}
	return []*store{popular, base}
}

// visitors are the users of a page, eleven of twelve among the popular ones.
func visitors(seed uint64, n, users int) []string {
	r := rand.New(rand.NewPCG(6, seed))
	all := make([]string, n)
	for i := range all {
		user := r.IntN(users)
		if r.IntN(12) > 0 {
			user /= 10
		}
		all[i] = fmt.Sprintf("user-%d", user)
	}
	return all
}

// BenchmarkRender renders pages of 500 users.
func BenchmarkRender(b *testing.B) {
	const users = 60_000
	stores := stores(users)
	pages := make([][]string, 64)
	for i := range pages {
		pages[i] = visitors(uint64(i), 500, users)
	}
	get := cure.Built(before, after)
	b.ReportAllocs()
	n := 0
	var page []byte
	for b.Loop() {
		var err error
		if page, err = render(page[:0], get, stores, pages[n%len(pages)]); err != nil {
			b.Fatal(err)
		}
		n++
	}
}

func TestSame(t *testing.T) {
	stores := stores(2000)
	pages := map[string]bool{}
	for seed := range uint64(50) {
		users := visitors(seed, 60, 2200)
		a, err1 := render(nil, before, stores, users)
		b, err2 := render(nil, after, stores, users)
		if !bytes.Equal(a, b) || err1 != nil || err2 != nil {
			t.Errorf("page %d: %s, %v before, %s, %v after", seed, a, err1, b, err2)
		}
		if n := bytes.Count(a, []byte("unknown")); n == 0 || n > 30 || bytes.Count(a, []byte("<li")) != 60 {
			t.Errorf("page %d has %d unknown users: %s", seed, n, a)
		}
		pages[string(a)] = true
	}
	if len(pages) != 50 {
		t.Errorf("50 pages are %d", len(pages))
	}
	for _, get := range []lookup{before, after} {
		if _, err := get(stores[0], "nobody"); !errors.Is(err, errMissing) {
			t.Errorf("nobody: %v", err)
		}
	}
}
