module github.com/heapwright/heapwright/bench

go 1.26

replace github.com/heapwright/heapwright => ../

require (
	github.com/google/pprof v0.0.0-20260906184651-6331bc6350fe
	github.com/heapwright/heapwright v0.0.0
	github.com/klauspost/compress v1.20.3
)
