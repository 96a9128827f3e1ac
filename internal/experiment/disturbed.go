package experiment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/probe"
	"github.com/heapwright/heapwright/internal/result"
)

// tooMuch is the share of the CPU time wanted that the hypervisor may keep back
// in a block that is not disturbed. On a machine of one's own it keeps nothing.
const tooMuch = 0.05

// undisturbed measures a block, again if it was disturbed and there is time.
// What decides is the machine's account over the block as a whole, the same for
// all modes, never what they measured; so it favours none.
func (e *experiment) undisturbed(ctx context.Context, block int, start time.Time) error {
	runs := len(e.doc.Runs)
	for try := 0; ; try++ {
		before, began := probe.ReadMachineTime(), time.Now()
		if err := e.runBlock(ctx, block, try); err != nil {
			return err
		}
		stolen := probe.ReadMachineTime().StolenSince(before)
		if stolen <= tooMuch {
			return nil
		}
		again := mayRepeat(e.doc.Disturbed, block, e.doc.Looks, e.plan.Budget-time.Since(start), time.Since(began))
		e.doc.Disturbed = append(e.doc.Disturbed, result.Disturbed{Block: block, Stolen: stolen, Repeated: again})
		if !again {
			return nil
		}
		e.doc.Runs = e.doc.Runs[:runs]
		e.doubts.forget(block)
		e.progress(result.Measure, block-1, e.doc.Looks[len(e.doc.Looks)-1],
			fmt.Sprintf("block %d again: other machines took %.0f %% of the CPU time wanted", block, 100*stolen))
	}
}

// mayRepeat reports whether a block that took so long may be measured again:
// not if that takes the time of a block before the next look, nor if half as
// many were measured again already as are judged there.
func mayRepeat(disturbed []result.Disturbed, block int, looks []int, left, took time.Duration) bool {
	next := looks[len(looks)-1]
	if i := slices.IndexFunc(looks, func(look int) bool { return look >= block }); i >= 0 {
		next = looks[i]
	}
	repeated := 0
	for _, d := range disturbed {
		if d.Repeated {
			repeated++
		}
	}
	return repeated < (next+1)/2 && took*time.Duration(next-block+1) <= left
}

// tellDisturbed notes what the hypervisor kept back.
func (e *experiment) tellDisturbed() {
	for _, of := range []struct {
		repeated bool
		format   string
	}{
		{true, "%s measured again, since the hypervisor had kept back more than %.0f %% of the CPU time wanted (up to %.0f %%)"},
		{false, "%s disturbed, which is in the figures all the same: the hypervisor kept back more than %.0f %% of the CPU time wanted (up to %.0f %%)"},
	} {
		n, worst := 0, 0.0
		for _, d := range e.doc.Disturbed {
			if d.Repeated == of.repeated {
				n, worst = n+1, max(worst, d.Stolen)
			}
		}
		blocks := fmt.Sprintf("%d blocks were", n)
		if n == 1 {
			blocks = "one block was"
		}
		if n > 0 {
			e.note(of.format, blocks, 100*tooMuch, 100*worst)
		}
	}
}
