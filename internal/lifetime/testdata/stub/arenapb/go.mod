module github.com/heapwright/heapwright/arena/arenapb

go 1.26

require (
	github.com/heapwright/heapwright/arena v0.1.0
	google.golang.org/protobuf v1.36.12
)
