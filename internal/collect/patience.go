package collect

import (
	"errors"
	"sync"
	"time"
)

var (
	errSlow   = errors.New("no whole answer within")
	errSilent = errors.New(
		"not asked, because the service had stopped answering; see that it is alive, or allow more with -timeout")
)

const (
	// hurry is the part of the timeout that a service gets once an answer was late: ten
	// requests to a service that hangs must not take ten timeouts.
	hurry = 6
	// mostLate is the number of late answers, without any other since, after which a
	// service is not asked again.
	mostLate = 2
)

// patience bounds the time of a collection from a service that hangs. An answer may
// come later than its recording ends by the timeout, and by a part of it once an
// answer was late. A service that no longer answers at all is not asked again.
type patience struct {
	mu       sync.Mutex
	lateOnce bool
	inARow   int
	last     time.Time // when the last answer came
}

// allowed returns how late the next answer may be; 0 is not to ask.
func (p *patience) allowed(timeout time.Duration) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.inARow >= mostLate:
		return 0
	case p.lateOnce:
		return timeout / hurry
	}
	return timeout
}

// answered notes an answer, an error among them: the service is alive.
func (p *patience) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inARow, p.last = 0, time.Now()
}

// late notes that no answer came to a request of that time. If others were answered
// since, one address hangs and not the service.
func (p *patience) late(asked time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lateOnce = true
	if p.last.Before(asked) {
		p.inARow++
	}
}
