package main

import "github.com/heapwright/heapwright/bench/foreign/truth"

// module is one to try the checks on.
type module struct {
	name   string // PATH@VERSION; "std" is the standard library of the Go in use
	tested bool   // its tests are run before and after the fixes
}

// more are modules besides those of bench/foreign.
var more = []module{
	{"std", true},
	{"golang.org/x/tools@v0.52.0", false},
	{"google.golang.org/grpc@v1.85.0", false},
	{"github.com/prometheus/alertmanager@v0.34.1", false},
	{"github.com/prometheus/node_exporter@v1.12.1", true},
	{"github.com/klauspost/compress@v1.20.3", true},
	{"github.com/cockroachdb/pebble@v1.1.5", false},
	{"go.etcd.io/etcd/server/v3@v3.7.3", false},
	{"gonum.org/v1/gonum@v0.17.0", false},
	{"github.com/valyala/fasthttp@v1.78.0", true},
	{"github.com/gin-gonic/gin@v1.12.0", true},
	{"k8s.io/client-go@v0.37.2", false},
	{"google.golang.org/protobuf@v1.36.12", false},
	{"github.com/minio/minio-go/v7@v7.4.1", true},
	{"github.com/hashicorp/raft@v1.8.0", false},
}

// tested are the modules of bench/foreign whose tests take minutes at most, and
// need neither a network nor a service.
var tested = map[string]bool{
	"github.com/alecthomas/chroma/v2": true, "github.com/gomarkdown/markdown": true, "github.com/miekg/dns": true,
	"mvdan.cc/sh/v3": true, "golang.org/x/net": true, "github.com/itchyny/gojq": true, "github.com/expr-lang/expr": true,
	"github.com/pelletier/go-toml/v2": true, "github.com/go-chi/chi/v5": true, "github.com/dop251/goja": true,
	"github.com/google/cel-go": true, "github.com/yuin/gopher-lua": true,
}

func modules() []module {
	var all []module
	for _, m := range truth.Modules {
		all = append(all, module{m.Path + "@" + m.Version, tested[m.Path]})
	}
	return append(all, more...)
}
