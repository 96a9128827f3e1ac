package truth

var bbolt = Module{
	Name: "bbolt", Path: "go.etcd.io/bbolt", Version: "v1.5.0",
	Args:    []string{"-bench", "DBBatchManual", "."},
	Compile: []string{"."},
	Wrong: []Place{
		{"db_test.go:1-5000", "", "the benchmark's own line, not the module's"},
	},
	Expect: []Place{
		{"internal/common/inode.go:50", "request-buffer append-without-room arena", "77% of the bytes: the entries of each page that a transaction touches"},
		{"cursor.go:289", "append-without-room", "8% of the bytes: a cursor's stack grows"},
		{"tx.go:601", "request-buffer", "4% of the bytes: a page for the meta data of each transaction"},
		{"bucket.go:872", "", "1% of the bytes: nodes"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"cursor.go:289", "", "the stack is kept by the cursor, which the caller holds"},
		{"node.go:132", "", "the inodes are kept by the node"},
		{"tx.go:500-520", "", "the pages are kept by the transaction"},
		{"bucket.go:895", "", "the map is kept by the bucket"},
		{"internal/common/inode.go:49-70", "", "returned and kept by the node, which lives as long as its transaction"},
		{"bucket.go:860-885", "", "cached in b.nodes for the transaction"},
		{"bucket.go:995-1005", "", "the copy is kept as the key of a node"},
	},
	Safe: []Place{
		{"tx.go:598-615", "", "written before writeMeta returns"},
		{"db.go:290-294", "empty-pool", "a page of a transaction goes back once it is written, and may do so after a rollback"},
	},
	Advised: []Change{
		{For: "db.go:292", What: "pages go back after a rollback too", Tests: []string{"-short", "."}, Edits: []Edit{
			{"tx.go:374", `	for _, p := range tx.pages { // not written
		if p.Overflow() == 0 {
			buf := common.UnsafeByteSlice(unsafe.Pointer(p), 0, 0, tx.db.pageSize)
			clear(buf)
			tx.db.pagePool.Put(buf)
		}
	}
	tx.db = nil`},
		}},
	},
	Mode: "a heap floor or GOGC=400",
}
