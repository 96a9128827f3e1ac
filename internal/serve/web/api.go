package web

import (
	"archive/tar"
	"fmt"
	"net/http"
	"time"

	"github.com/heapwright/heapwright/internal/store"
)

// profile answers one merged profile, as pprof tools read it.
func (h *Handler) profile(w http.ResponseWriter, r *http.Request) error {
	window, err := h.asked(r)
	if err != nil {
		return err
	}
	kind := r.FormValue("kind")
	if kind == "" {
		return bad("name a kind of profile: kind=cpu, heap, goroutine")
	}
	p, err := h.merge(r.Context(), window, kind, nil)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	return p.Encode(w)
}

// window answers the profiles that a diagnosis of a window rests on, as a tar archive of
// a folder such as heapwright diagnose reads.
func (h *Handler) window(w http.ResponseWriter, r *http.Request) error {
	window, err := h.asked(r)
	if err != nil {
		return err
	}
	all, err := h.server.Profiles(r.Context(), window)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return fmt.Errorf("%s from %s to %s: %w", window.Service, stamp(window.From), stamp(window.To), store.ErrNone)
	}
	w.Header().Set("Content-Type", "application/x-tar")
	archive := tar.NewWriter(w)
	for i, p := range all {
		header := &tar.Header{Name: fmt.Sprintf("%02d-%s.pb", i, p.Kind), Mode: 0o600,
			Size: int64(len(p.Data)), ModTime: p.Time.Truncate(time.Second)}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(p.Data); err != nil {
			return err
		}
	}
	return archive.Close()
}
