module github.com/heapwright/heapwright

go 1.26
