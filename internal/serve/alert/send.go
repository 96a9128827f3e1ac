package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"
)

const (
	// firstWait and longestWait are the waits after a request that failed; each wait is
	// twice the one before.
	firstWait   = time.Second
	longestWait = time.Minute
	// forgotten is how long the end of an alert is kept for a receiver that is away.
	forgotten = time.Hour
	// lasts is how many repetitions an alert holds without being sent again: a receiver
	// ends it if this server is gone. Prometheus has the same.
	lasts = 4
)

// Run sends alerts until the context ends.
func (s *Sender) Run(ctx context.Context) {
	var all sync.WaitGroup
	for i := range s.opts.URLs {
		all.Go(func() { s.serve(ctx, i) })
	}
	all.Wait()
}

// serve sends alerts to one receiver.
func (s *Sender) serve(ctx context.Context, receiver int) {
	wait, failing := s.opts.Repeat, false
	for {
		timer := time.NewTimer(wait)
		changed := s.changed[receiver]
		if failing {
			changed = nil // the wait is for the receiver's sake
		}
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		case <-changed:
			timer.Stop()
		}
		err := s.send(ctx, receiver)
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			if failing {
				s.opts.Log.Info("webhook answers again", "receiver", host(s.opts.URLs[receiver]))
			}
			wait, failing = s.opts.Repeat, false
			continue
		}
		if !failing {
			wait = firstWait
			s.opts.Log.Error("webhook; trying again", "receiver", host(s.opts.URLs[receiver]), "error", err)
		} else {
			wait = min(2*wait, longestWait)
		}
		failing = true
	}
}

// send sends all that holds, and the ends that the receiver does not know.
func (s *Sender) send(ctx context.Context, receiver int) error {
	alerts, ended := s.pending(receiver)
	if len(alerts) == 0 {
		return nil
	}
	body, err := json.Marshal(alerts)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.opts.URLs[receiver], bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	if s.opts.Token != "" {
		req.Header.Set("Authorization", "Bearer "+s.opts.Token)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		var wrapped *url.Error // has the address, which may have a secret
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return err
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, io.LimitReader(resp.Body, 64<<10)) // so that the connection is used again
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("it answers %s", resp.Status)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kept := range ended {
		kept.knows[receiver] = true
	}
	return nil
}

// pending returns the next message to a receiver, and the alerts in it that have ended.
// It forgets alerts whose end all receivers know.
func (s *Sender) pending(receiver int) (all []Alert, ended []*state) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, kept := range s.alerts {
		if kept.ended.IsZero() && !kept.expires.IsZero() && now.After(kept.expires) {
			s.end(kept, kept.expires)
		}
		a := kept.Alert
		if kept.ended.IsZero() {
			a.EndsAt = now.Add(lasts * s.opts.Repeat)
			all = append(all, a)
			continue
		}
		if a.EndsAt = kept.ended; !kept.knows[receiver] {
			all, ended = append(all, a), append(ended, kept)
		}
		known := true
		for _, k := range kept.knows {
			known = known && k
		}
		if known || now.Sub(kept.ended) > forgotten {
			delete(s.alerts, id)
		}
	}
	return all, ended
}

// host names a receiver without the parts of its address that may be secret.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}
