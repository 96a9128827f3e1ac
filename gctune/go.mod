module github.com/heapwright/heapwright/gctune

go 1.26
