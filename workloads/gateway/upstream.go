package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/heapwright/heapwright/workloads/program/service"
)

// upstreams are the services behind the gateway, each with its own listener on
// loopback.
type upstreams struct {
	addr    map[string]string
	servers []*http.Server
	client  *http.Client
}

type line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
}

type question struct {
	User  string `json:"user"`
	Order string `json:"order,omitempty"`
	Lines []line `json:"lines,omitempty"`
}

// services maps each service's name to the function that answers a question.
var services = map[string]func(question) any{
	"profile": func(q question) any {
		return map[string]any{"user": q.User, "tier": "standard", "address": map[string]string{"street": "1 Example Street", "city": "Anywhere"}}
	},
	"price": func(q question) any {
		prices := []map[string]any{}
		for _, l := range q.Lines {
			prices = append(prices, map[string]any{"sku": l.SKU, "cents": 100 * len(l.SKU), "total": 100 * len(l.SKU) * l.Quantity})
		}
		return map[string]any{"currency": "EUR", "lines": prices}
	},
	"stock": func(q question) any {
		stock := map[string]int{}
		for _, l := range q.Lines {
			stock[l.SKU] = 1000 - l.Quantity
		}
		return map[string]any{"warehouse": "north", "available": stock}
	},
	"order": func(q question) any {
		return map[string]any{"id": q.Order, "state": "shipped", "lines": []line{{"sku-1", 2}, {"sku-22", 1}}}
	},
}

// startUpstreams starts them. Each takes so long to answer, and then the time
// that the answer itself takes.
func startUpstreams(takes time.Duration) (*upstreams, error) {
	u := &upstreams{addr: map[string]string{}, client: &http.Client{
		Timeout:   5 * time.Second,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256},
	}}
	for name, answer := range services {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			u.close()
			return nil, fmt.Errorf("upstream %s: %w: the gateway needs free ports on loopback", name, err)
		}
		server := service.HTTP(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var q question
			if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
				http.Error(w, service.Reason(err), http.StatusBadRequest)
				return
			}
			time.Sleep(takes)
			writeJSON(w, http.StatusOK, answer(q))
		}))
		go server.Serve(listener)
		u.addr[name] = listener.Addr().String()
		u.servers = append(u.servers, server)
	}
	return u, nil
}

func (u *upstreams) close() {
	u.client.CloseIdleConnections()
	for _, s := range u.servers {
		s.Close()
	}
}

// ask asks all the named services at the same time and returns their answers
// by name.
func (u *upstreams) ask(ctx context.Context, q question, names ...string) (map[string]any, error) {
	type answer struct {
		name  string
		value any
		err   error
	}
	answers := make(chan answer, len(names))
	for _, name := range names {
		go func() {
			v, err := u.askOne(ctx, name, q)
			answers <- answer{name, v, err}
		}()
	}
	merged := map[string]any{}
	var errs []error
	for range names {
		a := <-answers
		merged[a.name] = a.value
		errs = append(errs, a.err)
	}
	return merged, errors.Join(errs...)
}

func (u *upstreams) askOne(ctx context.Context, name string, q question) (any, error) {
	body, err := json.Marshal(q)
	if err != nil {
		return nil, fmt.Errorf("upstream %s: %w", name, err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+u.addr[name]+"/", bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("upstream %s: %w", name, err)
	}
	resp, err := u.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("upstream %s: %w", name, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("upstream %s: status %s", name, resp.Status)
	}
	var v any
	if err := json.NewDecoder(resp.Body).Decode(&v); err != nil {
		return nil, fmt.Errorf("upstream %s: %w", name, err)
	}
	return v, nil
}
