module example.org/t

go 1.26

require (
	github.com/heapwright/heapwright/arena v0.1.0
	github.com/heapwright/heapwright/arena/arenagrpc v0.1.0
	github.com/heapwright/heapwright/arena/arenapb v0.1.0
	google.golang.org/grpc v1.84.0
	google.golang.org/protobuf v1.36.12
)

replace (
	github.com/heapwright/heapwright/arena v0.1.0 => ../../../arena
	github.com/heapwright/heapwright/arena/arenagrpc v0.1.0 => ./stub/arenagrpc
	github.com/heapwright/heapwright/arena/arenapb v0.1.0 => ./stub/arenapb
	google.golang.org/grpc v1.84.0 => ./stub/grpc
	google.golang.org/protobuf v1.36.12 => ./stub/protobuf
)
