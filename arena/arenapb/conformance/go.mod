// The module's path is below that of google.golang.org/protobuf, so that the test
// messages and tables there can be imported, which are internal. It is never
// published.
module google.golang.org/protobuf/heapwright

go 1.26

require (
	github.com/heapwright/heapwright/arena v0.1.0
	github.com/heapwright/heapwright/arena/arenapb v0.1.0
	google.golang.org/protobuf v1.36.12
)
