module github.com/heapwright/heapwright

go 1.26

require (
	golang.org/x/sys v0.44.0
	pgregory.net/rapid v1.3.0
)
