package web

import (
	"net/http"

	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/view"
	"github.com/heapwright/heapwright/internal/store"
	"github.com/heapwright/heapwright/internal/termtext"
)

// versions shows two versions of a service that ran side by side.
func (h *Handler) versions(w http.ResponseWriter, r *http.Request) error {
	c, err := h.sideBySide(r)
	if err != nil {
		return err
	}
	html(w)
	return view.Versions(w, c)
}

// versionsJSON answers the same for programs.
func (h *Handler) versionsJSON(w http.ResponseWriter, r *http.Request) error {
	c, err := h.sideBySide(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	return termtext.JSON(w, c)
}

func (h *Handler) sideBySide(r *http.Request) (*serve.SideBySide, error) {
	window, err := h.asked(r)
	if err != nil {
		return nil, err
	}
	before := r.FormValue("base-version")
	if len(before) > store.MostLabel {
		return nil, bad("the name of the base version is too long")
	}
	return h.server.SideBySide(r.Context(), window, before)
}
