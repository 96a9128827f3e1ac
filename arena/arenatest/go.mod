module github.com/heapwright/heapwright/arena/arenatest

go 1.26

require (
	github.com/heapwright/heapwright/arena v0.1.0
	pgregory.net/rapid v1.3.0
)
