package store

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile/profiletest"
)

// killedIn names the folder that a child process appends to until it is killed.
const killedIn = "HEAPWRIGHT_TEST_STORE"

// A process that is killed at a random moment under load has lost nothing that it has
// acknowledged, and doubled nothing.
func TestKill(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(killedIn); dir != "" {
		appendUntilKilled(t, dir)
	}
	dir := t.TempDir()
	acknowledged := killUnderLoad(t, dir)
	s := open(t, dir, Options{})
	defer s.Close()
	all, err := s.Select(t.Context(), Query{Service: "shop", From: noon.Add(-time.Hour), To: noon.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, e := range all {
		id := e.Labels["id"]
		if found[id] {
			t.Errorf("%s is kept twice", id)
		}
		found[id] = true
		if p, err := s.Read(t.Context(), e); err != nil || p.Len() != 2 {
			t.Errorf("%s: %v", id, err)
		}
	}
	for id := range acknowledged {
		if !found[id] {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
}

// TestQueueKill is the same for the queue: every value that was acknowledged is there, once.
func TestQueueKill(t *testing.T) {
	t.Parallel()
	if dir := os.Getenv(killedIn); dir != "" {
		pushUntilKilled(t, dir)
	}
	dir := t.TempDir()
	acknowledged := killUnderLoad(t, dir)
	q := openQueue(t, dir, 1<<30)
	defer q.Close()
	all, err := q.Head(1<<20, 1<<30)
	if err != nil || len(q.Stats().Lost) > 0 || q.Stats().Values != len(all) {
		t.Fatal(q.Stats(), err)
	}
	for _, one := range all {
		acknowledged[string(one.Value)] = false
	}
	for id, missing := range acknowledged {
		if missing {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	seen := map[string]bool{}
	for _, one := range all {
		if seen[string(one.Value)] {
			t.Errorf("%s is there twice", one.Value)
		}
		seen[string(one.Value)] = true
	}
}

// pushUntilKilled pushes from four goroutines and prints the acknowledged values.
func pushUntilKilled(t *testing.T, dir string) {
	q := openQueue(t, dir, 1<<30)
	var mu sync.Mutex
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("%s-%d-%d", os.Getenv("HEAPWRIGHT_TEST_FROM"), worker, i)
				if err := q.Push([]byte(id)); err != nil {
					t.Error(err)
				}
				mu.Lock()
				fmt.Println("kept", id)
				mu.Unlock()
			}
		})
	}
	group.Wait()
}

// killUnderLoad runs the test in child processes, one after the other, each killed after a
// random number of acknowledgements. It returns all that were acknowledged.
func killUnderLoad(t *testing.T, dir string) map[string]bool {
	t.Helper()
	kills := 5
	if os.Getenv("HEAPWRIGHT_THOROUGH") != "" {
		kills = 200
	}
	acknowledged := map[string]bool{}
	for range kills {
		killOnce(t, dir, acknowledged)
	}
	t.Logf("%d kills, %d acknowledged", kills, len(acknowledged))
	return acknowledged
}

func killOnce(t *testing.T, dir string, acknowledged map[string]bool) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.count=1")
	child.Env = append(os.Environ(), killedIn+"="+dir, fmt.Sprintf("HEAPWRIGHT_TEST_FROM=%d", len(acknowledged)))
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := rand.IntN(40); lines.Scan(); n-- {
		id, ok := strings.CutPrefix(lines.Text(), "kept ")
		if !ok {
			t.Fatal(lines.Text())
		}
		acknowledged[id] = true
		if n == 0 {
			child.Process.Kill()
		}
	}
	child.Wait() // it was killed
}

// appendUntilKilled appends from four goroutines and prints the acknowledged ones.
func appendUntilKilled(t *testing.T, dir string) {
	s := open(t, dir, Options{})
	var mu sync.Mutex
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := 0; ; i++ {
				id := fmt.Sprintf("%s-%d-%d", os.Getenv("HEAPWRIGHT_TEST_FROM"), worker, i)
				p := profiletest.NewCPU().CPU(1, "app.f"+id+"@x.go:1").CPU(1, "app.g@x.go:1")
				add(t, s, Entry{Service: "shop", Labels: Labels{"id": id}, Time: noon}, p)
				mu.Lock()
				fmt.Println("kept", id)
				mu.Unlock()
			}
		})
	}
	group.Wait()
}
