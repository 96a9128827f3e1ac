module github.com/heapwright/heapwright/arena/arenajson

go 1.26

require github.com/heapwright/heapwright/arena v0.1.0
