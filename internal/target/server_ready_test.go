package target

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A redirect is an answer, and nobody named the server that it leads to.
func TestReadyFollowsNoRedirect(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another server was asked") }))
	defer elsewhere.Close()
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer s.Close()
	if err := askURL(t.Context(), s.URL); err != nil {
		t.Error(err)
	}
}

// A server that takes connections and never answers is named, with a remedy.
func TestReadyOfServerThatHangs(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer s.Close()
	server := &Server{Ready: Ready{URL: s.URL, Timeout: 10 * time.Millisecond}}
	_, err := server.awaitReady(t.Context(), 0)
	if err == nil || !strings.Contains(err.Error(), s.URL) || !strings.Contains(err.Error(), "-load ready-timeout=TIME") || strings.Contains(err.Error(), "%!") {
		t.Error(err)
	}
}
