module github.com/heapwright/heapwright

go 1.26

require (
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
	github.com/klauspost/compress v1.20.3
)
