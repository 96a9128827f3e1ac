module github.com/heapwright/heapwright/arena/arenagrpc

go 1.26

require (
	github.com/heapwright/heapwright/arena v0.1.0
	google.golang.org/grpc v1.84.0
)
