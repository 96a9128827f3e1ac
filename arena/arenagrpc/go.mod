module github.com/heapwright/heapwright/arena/arenagrpc

go 1.26.0

require (
	github.com/heapwright/heapwright/arena v0.1.0
	github.com/heapwright/heapwright/arena/arenapb v0.1.0
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1 // what grpc requires, so that it changes nobody's
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)
