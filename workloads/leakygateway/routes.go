package main

import (
	"net/http"

	"github.com/heapwright/heapwright/workloads/program/service"
)

// maxBatch bounds a batch in bytes.
const maxBatch = 1 << 20

// routes serves the API, health checks, metrics and profiles.
func routes(readings http.Handler) http.Handler {
	return service.Routes("POST /v1/{tenant}/readings", readings)
}
