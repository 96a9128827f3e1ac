package arena

import "testing"

// TestStaleCheckpoints takes a checkpoint, ends its round, and takes others at the
// same position. The stale one must not pass for one of them.
func TestStaleCheckpoints(t *testing.T) {
	const stale = "ResetTo a checkpoint of another arena, or of one that has been reset past it"
	copies := func(a *Arena) { String(a, "a copy of bytes") }
	values := func(a *Arena) { New[node](a) }
	for name, use := range map[string]func(*Arena){"copies": copies, "values": values} {
		for _, marks := range []int{1, 3} {
			for end, ended := range map[string]func(*Pool, *Arena) *Arena{
				"Reset":          func(_ *Pool, a *Arena) *Arena { a.Reset(); return a },
				"Free":           func(p *Pool, a *Arena) *Arena { a.Free(); return p.Get() },
				"Retain, Reset":  func(_ *Pool, a *Arena) *Arena { a.Retain(-1); a.Reset(); return a },
				"Reset and Trim": func(_ *Pool, a *Arena) *Arena { a.Reset(); a.Trim(); return a },
			} {
				t.Run(name+"/"+end, func(t *testing.T) {
					var pool Pool
					a := pool.Get()
					for range 3 { // until a Reset of nothing but copies is the fast one
						use(a)
						a.Reset()
					}
					var old []Checkpoint
					for range marks {
						old = append(old, a.Mark())
						use(a)
					}
					a = ended(&pool, a)
					for _, at := range old {
						mustPanic(t, stale, func() { a.ResetTo(at) })
					}
					var valid []Checkpoint
					for range marks {
						valid = append(valid, a.Mark())
						use(a)
					}
					for _, at := range old {
						mustPanic(t, stale, func() { a.ResetTo(at) })
					}
					for i := range valid { // the last one first
						a.ResetTo(valid[marks-1-i])
					}
					a.Free()
				})
			}
		}
	}
}

// TestCheckpointAfterFastReset goes back to a checkpoint of a round that began
// with the fast Reset, and keeps the values from before it.
func TestCheckpointAfterFastReset(t *testing.T) {
	a := new(Pool).Get()
	defer a.Free()
	for round := range 5 {
		first := String(a, "first")
		at := a.Mark()
		for i := range 3 {
			n := New[node](a)
			n.value = i
			String(a, "second")
			a.ResetTo(at)
		}
		if again := a.Mark(); again != at {
			t.Errorf("round %d: %v and %v are checkpoints of one moment", round, at, again)
		}
		if s := a.Stats(); s.Bytes != int64(len("first")) {
			t.Errorf("round %d: %d bytes are alive, want %d", round, s.Bytes, len("first"))
		}
		if first != "first" {
			t.Errorf("round %d: a string from before the checkpoint reads %q", round, first)
		}
		a.Reset()
		if s := a.Stats(); s.Bytes != 0 {
			t.Errorf("round %d: %d bytes are alive after Reset", round, s.Bytes)
		}
	}
}
