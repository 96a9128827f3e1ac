module github.com/heapwright/heapwright/arena/arenapb/arenapbtest

go 1.26

require (
	github.com/heapwright/heapwright/arena v0.1.0
	github.com/heapwright/heapwright/arena/arenapb v0.1.0
	go.opentelemetry.io/proto/otlp v1.11.0
	google.golang.org/protobuf v1.36.11
)

require golang.org/x/sync v0.22.0 // indirect

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/grpc-ecosystem/grpc-gateway/v2 v2.29.0 // indirect
	github.com/prometheus/client_model v0.6.1
	golang.org/x/net v0.57.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
	golang.org/x/text v0.40.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20260720211330-0afa2a65878a
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260720211330-0afa2a65878a
	google.golang.org/grpc v1.82.1 // indirect
)
