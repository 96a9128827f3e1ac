package web

import (
	"fmt"
	"net/http"
)

// pgo answers the CPU profile of a window as a file that go build finds by its name. Its
// headers say how old it is and how much of it still matches.
func (h *Handler) pgo(w http.ResponseWriter, r *http.Request) error {
	window, err := h.asked(r)
	if err != nil {
		return err
	}
	p, err := h.server.PGO(r.Context(), window)
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", `attachment; filename="default.pgo"`)
	header.Set("Last-Modified", p.Newest.UTC().Format(http.TimeFormat))
	header.Set("Heapwright-Profiles", fmt.Sprint(p.Profiles))
	header.Set("Heapwright-Matches", fmt.Sprintf("%.3f", p.Matches))
	return p.Profile.Encode(w)
}
