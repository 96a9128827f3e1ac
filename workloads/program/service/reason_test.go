package service

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
)

// Clients are sent no addresses and no paths of this side.
func TestReason(t *testing.T) {
	s := httptest.NewServer(nil)
	s.Close()
	_, refused := http.Get(s.URL)
	_, missing := os.Open(t.TempDir() + "/x")
	for want, err := range map[string]error{
		"a connection failed":      fmt.Errorf("store: %w", refused),
		"a file could not be used": fmt.Errorf("store: %w", missing),
		"line 3: no value":         errors.New("line 3: no value"),
	} {
		if got := Reason(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
