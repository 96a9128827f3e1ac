package experiment

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/heapwright/heapwright/internal/format"
	"github.com/heapwright/heapwright/internal/result"
)

// maxStolen is the share of the CPU time wanted that the hypervisor may steal in
// a block before the block is repeated. On a dedicated machine it steals nothing.
const maxStolen = 0.05

// measureBlock measures a block, and measures it again if the hypervisor stole
// too much CPU time and the budget allows it. The decision depends only on the
// machine's CPU accounting over the whole block, which is the same for all modes,
// and never on their measurements. So it favours no mode.
func (e *experiment) measureBlock(ctx context.Context, block int) error {
	runs := len(e.doc.Runs)
	for try := 0; ; try++ {
		before, began := e.plan.machineTime(), time.Now()
		if err := e.runBlock(ctx, block, try); err != nil {
			return err
		}
		stolen := e.plan.machineTime().StolenSince(before)
		if stolen <= maxStolen {
			return nil
		}
		again := mayRepeat(e.doc.StolenTime, block, e.doc.Analyses, e.left(), time.Since(began))
		e.doc.StolenTime = append(e.doc.StolenTime, result.StolenTime{Block: block, Share: stolen, Repeated: again})
		if !again {
			return nil
		}
		e.doc.Runs = e.doc.Runs[:runs]
		e.doubts.forget(block)
		e.progress(result.Measure, block-1, e.doc.Analyses[len(e.doc.Analyses)-1],
			fmt.Sprintf("block %d again: the hypervisor stole %s of the CPU time wanted", block, format.Share(stolen)))
	}
}

// mayRepeat reports whether a block that took so long may be measured again. It
// may not if no time would be left for the blocks up to the next analysis. It may
// not either once half as many blocks were repeated as are judged there.
func mayRepeat(affected []result.StolenTime, block int, analyses []int, left, took time.Duration) bool {
	next := analyses[len(analyses)-1]
	if i := slices.IndexFunc(analyses, func(at int) bool { return at >= block }); i >= 0 {
		next = analyses[i]
	}
	repeated := 0
	for _, s := range affected {
		if s.Repeated {
			repeated++
		}
	}
	return repeated < (next+1)/2 && took*time.Duration(next-block+1) <= left
}

// noteStolenTime notes the blocks in which the hypervisor stole CPU time.
func (e *experiment) noteStolenTime() {
	for _, of := range []struct {
		repeated bool
		format   string
	}{
		{true, "%s measured again, because the hypervisor had stolen more than %s of the CPU time wanted (up to %s)"},
		{false, "%s kept although the hypervisor stole more than %s of the CPU time wanted (up to %s)"},
	} {
		n, worst := 0, 0.0
		for _, s := range e.doc.StolenTime {
			if s.Repeated == of.repeated {
				n, worst = n+1, max(worst, s.Share)
			}
		}
		blocks := fmt.Sprintf("%d blocks were", n)
		if n == 1 {
			blocks = "one block was"
		}
		if n > 0 {
			e.note(of.format, blocks, format.Share(maxStolen), format.Share(worst))
		}
	}
}
