package service

import (
	"net/http"
	"time"
)

// HTTP returns a server that clients cannot hold up: headers are small and come at once,
// and a body does not trickle in for ever. The time for a whole request also ends
// handlers that watch their context, as profiles do, so it is long.
func HTTP(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		MaxHeaderBytes:    64 << 10,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       5 * time.Minute,
		IdleTimeout:       2 * time.Minute,
	}
}
