package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/heapwright/heapwright/bench/internal/program"
	"github.com/heapwright/heapwright/internal/serve"
)

// measurement is all that the page shows.
type measurement struct {
	*settings
	Older, Newer cost
	began        time.Time
	Serve, used  float64 // CPU time in seconds: of serve, and of the processes
	Last         serve.SideBySide
	Records      records

	mu       sync.Mutex
	reported map[string]time.Duration // metric and function → when the alarm came
}

// receive answers as an Alertmanager, and notes the first alarm about each function.
func (m *measurement) receive(ctx context.Context) (url string, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var alerts []struct{ Labels map[string]string }
		if err := json.NewDecoder(r.Body).Decode(&alerts); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		for _, a := range alerts {
			if a.Labels["alertname"] != "HeapwrightRegression" {
				continue
			}
			id := a.Labels["metric"] + " " + a.Labels["function"]
			if _, known := m.reported[id]; !known {
				m.reported[id] = time.Since(m.began)
			}
		}
	})}
	context.AfterFunc(ctx, func() { server.Close() })
	go server.Serve(l) // it ends with ctx
	return "http://" + l.Addr().String(), nil
}

// watch waits for the end of the time, and asks for the comparison then.
func (m *measurement) watch(ctx context.Context, url string) error {
	if err := program.Sleep(ctx, m.Duration-time.Since(m.began)); err != nil {
		return err
	}
	text, err := program.Get(ctx, url+"/api/versions/shop?last=2h")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &m.Last); err != nil {
		return fmt.Errorf("serve does not compare the versions: %s", text)
	}
	return nil
}
