module github.com/heapwright/heapwright/arena

go 1.26
