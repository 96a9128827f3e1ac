package scrape

import (
	"context"
	"errors"
	"fmt"
	"io"
)

const (
	// smallBytes is the size up to which most answers are. Larger ones are counted apart.
	smallBytes = 256 << 10
	// mostLarge is how many large answers are read at the same time, each in up to twice its
	// size of memory, and mostStuck how many more that stopped before their end the last time.
	mostLarge = 6
	mostStuck = 2
)

// lanes bound the answers that are read at the same time. An answer takes no place before its
// beginning has come, so targets that do not answer keep nobody waiting. One that stopped
// before its end the last time is in the stuck lane.
type lanes struct{ usual, stuck lane }

// lane has a place for each answer, and one for each large answer.
type lane struct{ all, large chan struct{} }

func newLanes(together int) lanes {
	return lanes{
		usual: lane{make(chan struct{}, together), make(chan struct{}, mostLarge)},
		stuck: lane{make(chan struct{}, max(1, together/4)), make(chan struct{}, mostStuck)},
	}
}

// read reads an answer and calls use with it. Of large ones only a few are in memory at the
// same time, so that many targets whose answers have no end take no more than a few. An
// answer that comes while the target records has been waited for already, and its beginning
// needs no place.
func (s *Scraper) read(
	ctx context.Context, p *process, address string, recorded bool, body io.Reader, use func([]byte) error,
) error {
	l := s.lanes.usual
	if p.wasStuck(address) {
		l = s.lanes.stuck
	}
	if !recorded {
		if err := take(ctx, l.all); err != nil {
			return err
		}
		defer func() { <-l.all }()
	}
	data, err := io.ReadAll(io.LimitReader(body, smallBytes))
	if err == nil && len(data) == smallBytes {
		if err := take(ctx, l.large); err != nil {
			return err
		}
		defer func() { <-l.large }()
		data, err = s.readRest(data, body)
	}
	p.setStuck(address, errors.Is(err, context.DeadlineExceeded))
	if err != nil {
		return err
	}
	return use(data)
}

func take(ctx context.Context, places chan struct{}) error {
	select {
	case places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readRest reads the rest of a large answer.
func (s *Scraper) readRest(data []byte, body io.Reader) ([]byte, error) {
	most := s.opts.MaxBytes
	rest, err := io.ReadAll(io.LimitReader(body, most+1-smallBytes))
	if int64(len(data)+len(rest)) > most {
		return nil, fmt.Errorf("%w: more than %d MiB", errOdd, most>>20)
	}
	return append(data, rest...), err
}

func (p *process) wasStuck(address string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stuck[address]
}

func (p *process) setStuck(address string, is bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !is {
		delete(p.stuck, address)
		return
	}
	if p.stuck == nil {
		p.stuck = map[string]bool{}
	}
	p.stuck[address] = true
}
