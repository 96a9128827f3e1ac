module github.com/heapwright/heapwright

go 1.26

require golang.org/x/sys v0.44.0

require pgregory.net/rapid v1.3.0

require github.com/google/go-cmp v0.7.0
