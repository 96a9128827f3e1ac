module github.com/heapwright/heapwright/gctune/gctuneotel

go 1.26.0

require (
	github.com/heapwright/heapwright/gctune v0.1.0
	go.opentelemetry.io/otel/metric v1.47.0
)

require (
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	go.opentelemetry.io/otel v1.47.0 // indirect
)
