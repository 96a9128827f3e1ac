package main

import (
	"net/http"

	"github.com/heapwright/heapwright/internal/workload/service"
)

// maxBatch bounds a batch in bytes.
const maxBatch = 1 << 20

// routes serves the API, and beside it what an operator looks at.
func routes(readings http.Handler) http.Handler {
	return service.Routes("POST /v1/{tenant}/readings", readings)
}
