package web

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/store"
)

// usualWindow is the window of a request that gives none.
const usualWindow = time.Hour

// mostWindow bounds a window: no store keeps more.
const mostWindow = 400 * 24 * time.Hour

// asked returns the window of a request: from and to, or last.
func (h *Handler) asked(r *http.Request) (w serve.Window, err error) {
	w = serve.Window{Service: r.PathValue("service"), To: h.now(), Version: r.FormValue("version")}
	if len(w.Service) > store.MostLabel || len(w.Version) > store.MostLabel {
		return w, bad("the name of the service or version is too long")
	}
	if to := r.FormValue("to"); to != "" {
		if w.To, err = parseTime(to); err != nil {
			return w, err
		}
	}
	last := usualWindow
	if text := r.FormValue("last"); text != "" {
		if last, err = time.ParseDuration(text); err != nil || last <= 0 {
			return w, bad("last=%.40q: write a duration such as 1h", text)
		}
	}
	w.From = w.To.Add(-last)
	if from := r.FormValue("from"); from != "" {
		if w.From, err = parseTime(from); err != nil {
			return w, err
		}
	}
	if took := w.To.Sub(w.From); took <= 0 || took > mostWindow {
		return w, bad("the window from %s to %s: it ends before it begins, or is too long", stamp(w.From), stamp(w.To))
	}
	// Addresses of pages have whole seconds; so the window that is shown has them too.
	w.From, w.To = w.From.Truncate(time.Second).UTC(), w.To.Truncate(time.Second).Add(time.Second).UTC()
	return w, nil
}

// parseTime reads a time as RFC 3339 or in seconds since 1970.
func parseTime(s string) (time.Time, error) {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n >= 0 && n < 1<<33 {
		return time.Unix(n, 0).UTC(), nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		return t, bad("time %.60q: write it as 2026-03-04T10:00:00Z or in seconds since 1970", s)
	}
	return t, nil
}

// merge adds up the profiles of a window. beside is another profile whose dictionary the
// result shares, nil for none.
func (h *Handler) merge(ctx context.Context, w serve.Window, kind string,
	beside *profile.Profile) (*profile.Profile, error) {
	p, err := h.server.Merge(ctx, w, kindOf(kind))
	if err != nil || beside == nil {
		return p, err
	}
	var raw bytes.Buffer
	if err := p.EncodeRaw(&raw); err != nil {
		return nil, err
	}
	return profile.NewDecoder(profile.Options{Dict: beside.Dict, Rebase: true}).DecodeBytes(p.Name, raw.Bytes())
}
