package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func openQueue(t testing.TB, dir string, most int64) *Queue {
	t.Helper()
	q, err := OpenQueue(dir, most)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// The oldest values come first, those beyond the size are dropped from the front and counted,
// and a restart changes nothing.
func TestQueue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		most := rapid.Int64Range(100, 2000).Draw(r, "most")
		q := openQueue(t, dir, most)
		defer func() { q.Close() }()
		var want []string
		lost := map[string]int64{}
		size := func() (n int64) {
			for _, v := range want {
				n += int64(len(v)) + stampSize + 4
			}
			return n
		}
		for i := range rapid.IntRange(1, 40).Draw(r, "steps") {
			switch rapid.IntRange(0, 4).Draw(r, "step") {
			case 0, 1:
				v := fmt.Sprint(i) + strings.Repeat("x", rapid.IntRange(0, 300).Draw(r, "size"))
				if err := q.Push([]byte(v)); err != nil {
					r.Fatal(err)
				}
				for want = append(want, v); size() > most; want = want[1:] {
					lost[Full]++
				}
			case 2:
				head, err := q.Head(rapid.IntRange(1, 5).Draw(r, "n"), rapid.Int64Range(1, 500).Draw(r, "bytes"))
				if err != nil || len(want) > 0 && len(head) == 0 {
					r.Fatal(head, err)
				}
				for i, v := range head {
					if string(v.Value) != want[i] {
						r.Fatalf("%q, want %q", v.Value, want[i])
					}
				}
				reason := rapid.SampledFrom([]string{"", "refused"}).Draw(r, "reason")
				if err := q.Remove(head, reason); err != nil {
					r.Fatal(err)
				}
				if err := q.Remove(head, reason); err != nil { // they are gone already
					r.Fatal(err)
				}
				if want = want[len(head):]; reason != "" {
					lost[reason] += int64(len(head))
				}
			case 3:
				head, err := q.Head(2, 1<<20)
				if err != nil || q.Later(head) != nil {
					r.Fatal(err)
				}
				want = append(want[len(head):], want[:len(head)]...)
			case 4:
				if err := q.Close(); err != nil {
					r.Fatal(err)
				}
				q = openQueue(t, dir, most)
			}
			s := q.Stats()
			if s.Values != len(want) || s.Bytes != size() || s.Lost[Full] != lost[Full] || s.Lost["refused"] != lost["refused"] || s.Oldest.IsZero() != (len(want) == 0) {
				r.Fatalf("%+v, want %d values of %d bytes, %v", s, len(want), size(), lost)
			}
		}
	})
}

// Values that are pushed at the same time all come out, once each.
func TestQueueTogether(t *testing.T) {
	q := openQueue(t, t.TempDir(), 1<<20)
	defer q.Close()
	var all sync.WaitGroup
	for i := range 100 {
		all.Go(func() {
			if err := q.Push([]byte(fmt.Sprint(i))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	<-q.Added()
	head, err := q.Head(1000, 1<<20)
	seen := map[string]bool{}
	for _, v := range head {
		seen[string(v.Value)] = true
	}
	if err != nil || len(seen) != 100 || len(head) != 100 {
		t.Error(len(seen), err)
	}
}

// A byte that flips, or a file that ends too early, costs values that are counted, or the
// file, which is set aside. No wrong value comes out, and new ones do.
func TestQueueDamage(t *testing.T) {
	t.Parallel()
	good := t.TempDir()
	q := openQueue(t, good, 1<<20)
	for i := range 40 {
		if err := q.Push(bytes.Repeat([]byte{byte('a' + i%26)}, 500)); err != nil {
			t.Fatal(err)
		}
	}
	q.Close()
	whole, err := os.ReadFile(filepath.Join(good, queueFile))
	if err != nil {
		t.Fatal(err)
	}
	check := func(damaged []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, queueFile), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		q := openQueue(t, dir, 1<<20)
		defer q.Close()
		head, err := q.Head(100, 1<<20)
		if err != nil {
			t.Error(err)
		}
		for _, v := range head {
			if len(v.Value) != 500 || len(bytes.Trim(v.Value, string(v.Value[:1]))) != 0 {
				t.Fatalf("a wrong value: %q", v.Value)
			}
		}
		if err == nil && q.Stats().Lost[Damaged] == 0 && len(head) != 40 && len(head) != 0 {
			t.Errorf("%d values, and none is counted as damaged", len(head))
		}
		if err := q.Push([]byte("new")); err != nil {
			t.Error(err)
		}
		head, err = q.Head(100, 1<<20)
		if err != nil || len(head) == 0 || string(head[len(head)-1].Value) != "new" {
			t.Error(len(head), err)
		}
	}
	for i := 0; i < len(whole); i += 499 {
		damaged := bytes.Clone(whole)
		damaged[i] ^= 0x5a
		check(damaged)
	}
	for _, n := range []int{0, 1, 5000, len(whole) / 2, len(whole) - 1} {
		check(whole[:n])
	}
}

func TestQueueOfTwo(t *testing.T) {
	dir := t.TempDir()
	q := openQueue(t, dir, 1<<20)
	if _, err := OpenQueue(dir, 1<<20); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Error(err)
	}
	q.Close()
	if err := q.Push([]byte("x")); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	openDayAs(t, dir, "other.db", "3")
	if err := os.Rename(filepath.Join(dir, "other.db"), filepath.Join(dir, queueFile)); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenQueue(dir, 1<<20); err == nil || !strings.Contains(err.Error(), "update heapwright") {
		t.Error(err)
	}
}
