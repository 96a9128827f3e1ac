package alert

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// receiver is a webhook without a network.
type receiver struct {
	mu    sync.Mutex
	fails int // how many of the next requests fail
	sent  requests
}

// requests are the messages that a receiver accepted.
type requests struct {
	got  [][]Alert
	at   []time.Time
	auth string
}

// wait returns the requests once all goroutines of the bubble wait.
func (r *receiver) wait() requests {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent
}

func (r *receiver) RoundTrip(req *http.Request) (*http.Response, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	status := 200
	if r.fails > 0 {
		r.fails--
		status = 503
	} else {
		var all []Alert
		if err := json.NewDecoder(req.Body).Decode(&all); err != nil {
			return nil, err
		}
		s := &r.sent
		s.got, s.at, s.auth = append(s.got, all), append(s.at, time.Now()), req.Header.Get("Authorization")
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Body: io.NopCloser(strings.NewReader("")), Request: req}, nil
}

func named(name, service string) Alert {
	return Alert{Labels: map[string]string{Name: name, "service": service}}
}

// An alert is sent at once, again while it holds, and once more when it has ended.
func TestSend(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{}
		s := New(Options{URLs: []string{"http://am/api/v2/alerts"}, Token: "secret", Transport: r})
		ctx, cancel := context.WithCancel(t.Context())
		go s.Run(ctx)
		start := time.Now()
		s.Hold("worse", []Alert{named("worse", "shop")})
		sent := r.wait()
		if len(sent.got) != 1 || !sent.at[0].Equal(start) || sent.auth != "Bearer secret" || !sent.got[0][0].EndsAt.After(start) {
			t.Fatal(sent.got, sent.auth)
		}
		time.Sleep(61 * time.Second)
		sent = r.wait()
		if len(sent.got) != 2 || !sent.got[1][0].StartsAt.Equal(start) {
			t.Fatal("it is not repeated:", sent.got)
		}
		s.Hold("worse", nil)
		ended := time.Now()
		sent = r.wait()
		if len(sent.got) != 3 || !sent.got[2][0].EndsAt.Equal(ended) {
			t.Fatal("its end is not sent:", sent.got)
		}
		time.Sleep(10 * time.Minute)
		sent = r.wait()
		if len(sent.got) != 3 || len(s.alerts) != 0 {
			t.Error("it is sent after its end:", sent.got, len(s.alerts))
		}
		cancel()
		synctest.Wait()
	})
}

// A receiver that was away gets the alerts that hold then, and the waits between become longer.
func TestReceiverIsAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &receiver{fails: 5}
		var log bytes.Buffer
		s := New(Options{URLs: []string{"http://am/path-with-secret"}, Transport: r, Log: slog.New(slog.NewTextHandler(&log, nil))})
		ctx, cancel := context.WithCancel(t.Context())
		go s.Run(ctx)
		start := time.Now()
		s.Raise(named("limit", "shop"), 10*time.Second)
		time.Sleep(2 * time.Minute)
		sent := r.wait()
		if len(sent.got) != 1 || sent.at[0].Sub(start) != 31*time.Second { // 1+2+4+8+16
			t.Fatal(sent.got, sent.at)
		}
		if a := sent.got[0][0]; !a.EndsAt.Equal(start.Add(10 * time.Second)) {
			t.Error("an alert that nobody raises any more holds:", a)
		}
		if strings.Count(log.String(), "level=ERROR") != 1 || strings.Contains(log.String(), "secret") {
			t.Error(log.String())
		}
		cancel()
		synctest.Wait()
	})
}

func TestManyAlertsAreBounded(t *testing.T) {
	s := New(Options{URLs: []string{"http://am"}})
	for i := range mostAlerts + 10 {
		s.Raise(named("limit", strings.Repeat("x", i)), time.Minute)
	}
	if len(s.alerts) != mostAlerts {
		t.Error(len(s.alerts))
	}
}

func TestParseURL(t *testing.T) {
	for text, want := range map[string]string{
		"http://am:9093": "http://am:9093/api/v2/alerts", "https://am/": "https://am/api/v2/alerts", "https://hooks/x?y=1": "https://hooks/x?y=1",
	} {
		if got, err := ParseURL(text); err != nil || got != want {
			t.Errorf("%s: %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "am:9093", "ftp://am", "http://u:secret@%"} {
		if _, err := ParseURL(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
