package web

import (
	"context"
	"net/http"
)

// passer is another server that keeps the profiles and has the same interface for Grafana. Its
// labels and sums are only its own, so it gets the questions as they are.
type passer interface {
	Pass(ctx context.Context, from *http.Request, body []byte) (status int, kind string, answer []byte, err error)
}

// pass answers as the other server does.
func (h *Handler) pass(w http.ResponseWriter, r *http.Request) error {
	asked, err := body(w, r, mostAsked)
	if err != nil {
		return h.connectError(w, r, err)
	}
	status, kind, answer, err := h.passer.Pass(r.Context(), r, asked)
	if err != nil {
		return h.connectError(w, r, err)
	}
	w.Header().Set("Content-Security-Policy", "sandbox") // whatever it is, it is no page of this server
	return send(w, r, kind, status, answer)
}
