module github.com/heapwright/heapwright/arena/arenagrpc

go 1.26

require (
	github.com/heapwright/heapwright/arena v0.1.0
	github.com/heapwright/heapwright/arena/arenapb v0.1.0
	google.golang.org/grpc v1.84.0
	google.golang.org/protobuf v1.36.11
)

require (
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.40.0 // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260706201446-f0a921348800 // indirect
)
