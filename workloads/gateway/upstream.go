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

// upstreams are the servers behind the gateway, each with its own listener on
// loopback.
type upstreams struct {
	addr    map[string]string // keyed by the upstream's name
	servers []*http.Server
	client  *http.Client
}

// A line is a line of an order.
type line struct {
	SKU      string `json:"sku"`
	Quantity int    `json:"quantity"`
}

// A question is the body of a request to an upstream. All upstreams read the
// same type, and each ignores the fields that it does not need.
type question struct {
	User  string `json:"user"`
	Order string `json:"order,omitempty"`
	Lines []line `json:"lines,omitempty"`
}

// answers maps each upstream's name to the function that answers a question.
var answers = map[string]func(question) any{
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

// startUpstreams starts one server for each upstream. A server waits for delay
// before it computes an answer.
func startUpstreams(delay time.Duration) (*upstreams, error) {
	u := &upstreams{addr: map[string]string{}, client: &http.Client{
		Timeout: 5 * time.Second, // the gateway answers 502 rather than let its clients hang
		// The default keeps two idle connections per host, so a storm would spend
		// its time on dialling instead of on memory.
		Transport: &http.Transport{MaxIdleConnsPerHost: 256},
	}}
	for name, answer := range answers {
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
			time.Sleep(delay)
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

// ask asks all the named upstreams at the same time and returns their answers
// by name.
func (u *upstreams) ask(ctx context.Context, q question, names ...string) (map[string]any, error) {
	type reply struct {
		name  string
		value any
		err   error
	}
	replies := make(chan reply, len(names))
	for _, name := range names {
		go func() {
			v, err := u.askOne(ctx, name, q)
			replies <- reply{name, v, err}
		}()
	}
	merged := map[string]any{}
	var errs []error
	for range names {
		r := <-replies
		merged[r.name] = r.value
		errs = append(errs, r.err)
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
