package report

import (
	"io"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/heapwright/heapwright/internal/result"
	"github.com/heapwright/heapwright/internal/termtext"
)

// bars is the sink for a terminal: a bar for each phase, below all messages.
type bars struct {
	drawn *mpb.Progress
	phase result.Phase
	bar   *mpb.Bar // the phase's bar; nil before the first phase

	mu    sync.Mutex // the bars are drawn by another goroutine
	doing string
	end   time.Time // when the phase is expected to end; zero if not known
}

func newBars(w io.Writer, options ...mpb.ContainerOption) *bars {
	options = append([]mpb.ContainerOption{mpb.WithOutput(w)}, options...)
	return &bars{drawn: mpb.New(options...)}
}

func (b *bars) Handle(e result.Event) {
	if p, ok := e.(result.Progress); ok {
		b.progress(p)
		return
	}
	if s := plain(e); s != "" {
		io.WriteString(b.drawn, s)
	}
}

func (b *bars) Write(text []byte) (int, error) { return b.drawn.Write(text) }

func (b *bars) progress(p result.Progress) {
	b.mu.Lock()
	b.doing, b.end = termtext.Harmless(p.Doing), time.Time{}
	if p.ETA > 0 {
		b.end = time.Now().Add(p.ETA)
	}
	b.mu.Unlock()
	if p.Phase != b.phase || b.bar == nil {
		b.endPhase()
		b.phase, b.bar = p.Phase, b.newBar(p.Phase)
	}
	b.bar.SetTotal(int64(p.Total), false)
	b.bar.SetCurrent(int64(p.Done))
}

// Widths that leave a bar of some 20 columns on a terminal of 80.
const (
	phaseWidth = 10
	countWidth = 9
	doingWidth = 24
)

func (b *bars) newBar(phase result.Phase) *mpb.Bar {
	style := mpb.BarStyle().Lbound("").Filler("━").Tip("━").Padding("┄").Rbound("")
	return b.drawn.New(0, style,
		mpb.PrependDecorators(decor.Any(func(decor.Statistics) string {
			return termtext.Fit(string(phase), phaseWidth)
		})),
		mpb.AppendDecorators(decor.Any(func(s decor.Statistics) string { return b.status(phase, s) })),
	)
}

// status is the text right of a bar; its width does not change, so that the
// bars stay below each other.
func (b *bars) status(phase result.Phase, s decor.Statistics) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	eta, doing := "", b.doing
	if s.Completed || s.Aborted {
		doing = ""
	} else if !b.end.IsZero() {
		eta = left(max(time.Until(b.end), time.Second))
	}
	unit := len(phase.Unit())
	return " " + termtext.Fit(count(phase, s.Current, s.Total), countWidth+unit) + termtext.Fit(eta, 15) +
		termtext.Fit(doing, doingWidth-unit)
}

// endPhase leaves the phase's bar as it stands.
func (b *bars) endPhase() {
	if b.bar == nil {
		return
	}
	b.bar.Abort(false)
	b.bar.Wait()
}

func (b *bars) Close() error {
	b.endPhase()
	b.drawn.Wait()
	return nil
}
