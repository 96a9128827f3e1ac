package scrape

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// stuck is a body that stops after some bytes, until its request is given up.
type stuck struct {
	ctx context.Context
	n   int
}

func (b *stuck) Read(p []byte) (int, error) {
	if b.n == 0 {
		<-b.ctx.Done()
		return 0, b.ctx.Err()
	}
	n := min(b.n, len(p))
	b.n -= n
	return n, nil
}

// Many targets that hang, before or within their answers, keep no other one waiting. The
// first time a target stops within an answer, it may.
func TestTargetsThatHang(t *testing.T) {
	for name, bytes := range map[string]int{"before": -1, "at the beginning": 1, "in a large one": 2 * smallBytes} {
		synctest.Test(t, func(t *testing.T) {
			s := NewScraper(Options{Keep: (&kept{}).keep})
			s.client = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				body := io.Reader(&stuck{r.Context(), bytes})
				if r.URL.Host == "good" {
					body = io.LimitReader(zeros{}, 4*smallBytes)
				} else if bytes < 0 {
					<-r.Context().Done()
					return nil, r.Context().Err()
				}
				return &http.Response{StatusCode: 200, Body: io.NopCloser(body), Request: r}, nil
			})}
			heap := s.opts.Schedule.jobs()[0]
			named := func(host string) *process {
				return &process{status: Status{Target: Target{URL: "http://" + host, Service: "shop"}}}
			}
			var hanging []*process
			for i := range 100 {
				hanging = append(hanging, named(fmt.Sprint("hangs-", i)))
			}
			good := named("good")
			for round := range 20 {
				var asks sync.WaitGroup
				for _, p := range hanging {
					asks.Go(func() { s.ask(t.Context(), p, heap, false) })
				}
				synctest.Wait()
				began := time.Now()
				s.ask(t.Context(), good, heap, false)
				took := time.Since(began)
				asks.Wait()
				if first := bytes > 0 && round < 15; !first && (took > 0 || good.status.State != Up) {
					t.Fatalf("%s, round %d: the good one is %s after %v", name, round, good.status.State, took)
				}
			}
			for _, p := range hanging {
				if p.status.State != Slow {
					t.Errorf("%s: %s", name, p.status.State)
				}
			}
		})
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
