package main

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/heapwright/heapwright/workloads/program/service"
)

type gateway struct {
	signer    signer
	sessions  sessions
	upstreams *upstreams
	garbage   int // working memory of a request, bytes
}

// handler routes the API, health checks, metrics and profiles.
func (g *gateway) handler() http.Handler {
	api := http.NewServeMux()
	api.Handle("GET /v1/orders/{id}", g.authorised("orders:read", g.readOrder))
	api.Handle("POST /v1/orders", g.authorised("orders:write", g.placeOrder))
	return service.Routes("/v1/", api)
}

// authorised lets only users through whose session has the scope, and gives
// their request its working memory.
func (g *gateway) authorised(scope string, handle func(http.ResponseWriter, *http.Request, string)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, ok := g.signer.user(r)
		if !ok {
			fail(w, http.StatusUnauthorized, "send a token: gateway -token USER prints one")
			return
		}
		if !slices.Contains(g.sessions.of(user).scopes, scope) {
			fail(w, http.StatusForbidden, "your session lacks "+scope)
			return
		}
		scratch := work(g.garbage)
		handle(w, r, user)
		w.Write(scratch.trailer())
	})
}

func (g *gateway) readOrder(w http.ResponseWriter, r *http.Request, user string) {
	g.answer(w, r, question{User: user, Order: r.PathValue("id")}, "order", "profile")
}

func (g *gateway) placeOrder(w http.ResponseWriter, r *http.Request, user string) {
	var body struct {
		Lines []line `json:"lines"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&body); err != nil {
		fail(w, http.StatusBadRequest, "the body is not an order: "+service.Reason(err))
		return
	}
	if len(body.Lines) == 0 {
		fail(w, http.StatusBadRequest, `the order is empty: send {"lines":[{"sku":"sku-1","quantity":2}]}`)
		return
	}
	g.answer(w, r, question{User: user, Lines: body.Lines}, "profile", "price", "stock")
}

// answer merges the answers of the named upstreams into one response.
func (g *gateway) answer(w http.ResponseWriter, r *http.Request, q question, upstreams ...string) {
	merged, err := g.upstreams.ask(r.Context(), q, upstreams...)
	if err != nil {
		fail(w, http.StatusBadGateway, service.Reason(err))
		return
	}
	writeJSON(w, http.StatusOK, merged)
}

func fail(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]string{"error": message})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // an error means that the client is gone
}
