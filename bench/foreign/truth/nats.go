package truth

var nats = Module{
	Name: "nats-server", Path: "github.com/nats-io/nats-server/v2", Version: "v2.15.2",
	Args:    []string{"-bench", "MemStoreStoreMsg", "./server"},
	Compile: []string{"./server"},
	Expect: []Place{
		{"server/memstore.go:309", "pointer-heap request-buffer retention arena library-garbage unbounded-growth", "97% of the bytes: each message with its buffer, which is the store's content and freed when a limit removes it"},
		{"server/memstore.go:316", "map-without-size unbounded-growth", "the map of all messages grows with the store"},
		{"server/avl/seqset.go:529", "", "nodes of the set of deleted sequences"},
		{"", "frequent-gc", "35 MiB live beside gigabytes a second allocated"},
	},
	Wrong: []Place{
		{"server/sublist.go:427", "map-without-size", "TestMain fills it once, before the benchmarks"},
	},
	Unsafe: []Place{
		{"server/memstore.go:309-311", "", "stored in ms.msgs, and read by later loads"},
		{"server/memstore.go:316", "", "the map lives as long as the store"},
		{"server/memstore.go:398-420", "", "StoreMsg returns while the messages stay in ms.msgs"},
		{"server/avl/seqset.go:529", "", "linked into the tree"},
	},
	Mode: "a heap floor or GOGC=400",
}
