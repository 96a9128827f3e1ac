package arenapbtest

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// Goroutines read and write messages of freed arenas while the collector runs all the
// time. A lock separates each use from the decoding, because data races are another
// kind of bug.
func TestStaleMessagesOfGoroutines(t *testing.T) {
	if checks || arena.Backend == "goarena" {
		t.Skip("this build stops at the use of freed memory")
	}
	var pool arena.Pool
	var lock sync.Mutex
	var stale []proto.Message
	var users, collections sync.WaitGroup
	done := make(chan struct{})
	collections.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				runtime.GC()
			}
		}
	})
	for worker := range 4 {
		r := rand.New(rand.NewPCG(7, uint64(worker)))
		users.Go(func() {
			for range 200 {
				typ := messages[r.IntN(len(messages))]
				data := sample(r, typ)
				lock.Lock()
				a := pool.Get()
				m := typ.ProtoReflect().New().Interface()
				if err := (arenapb.UnmarshalOptions{Text: arena.TextArena, AllowPartial: true}).Unmarshal(a, data, m); err != nil {
					t.Error(err)
				}
				a.Free()
				stale = append(stale, m)
				use(stale[r.IntN(len(stale))])
				lock.Unlock()
			}
		})
	}
	users.Wait()
	close(done)
	collections.Wait()
}

// The collector checks its own marking and overwrites the memory that it frees.
func TestStaleMessagesUnderGC(t *testing.T) {
	if testing.Short() || checks {
		t.Skip("takes some seconds")
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestStaleMessagesOfGoroutines$")
	cmd.Env = append(os.Environ(), "GODEBUG=gccheckmark=1,clobberfree=1", "GOGC=20")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
