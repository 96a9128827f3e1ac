package truth

var bleve = Module{
	Name: "bleve", Path: "github.com/blevesearch/bleve/v2", Version: "v2.6.3",
	Args:    []string{"-bench", "Query", "."},
	Compile: []string{"."},
	Expect: []Place{
		{"search/pool.go:52-54", "request-buffer arena library-garbage", "15% of the bytes: a pool of document matches is filled for every search"},
		{"index_impl.go:1213", "arena", "9% of the bytes: a document match for each hit that only a root with descendants needs; make it in the loop"},
		{"index/scorch/merge.go:380-560", "encoder request-buffer library-garbage", "26% of the bytes: zapx makes a buffered writer of 1 MiB for each merge of segments"},
		{"index/scorch/snapshot_index.go:728", "arena", "term field readers, recycled only by field"},
		{"index/scorch/snapshot_index.go:652-670", "library-garbage", "11% of the bytes: vellum makes a state for each byte of a key"},
		{"search.go:470", "", "a facet and highlight request for each search"},
		{"index/scorch/snapshot_index_dict.go:126-135", "library-garbage", "12% of the bytes: vellum makes a state for each byte of a key that a dictionary is asked for"},
		{"index/scorch/regexp.go:31", "library-garbage encoder", "a third of the bytes of wildcard queries: vellum builds the automaton of the pattern for each"},
		{"", "frequent-gc", "a live heap of a few MiB"},
	},
	Unsafe: []Place{
		{"search/searcher/search_geoboundingbox.go:263-266", "", "terms that are returned in onBoundary and notOnBoundary are parts of it"},
		{"search/pool.go:45-70", "", "document matches are returned to the caller in SearchResult.Hits"},
		{"index/scorch/snapshot_index.go:625-735", "", "readers are kept by the snapshot for later searches"},
		{"search.go:460-480", "", "returned to the caller"},
	},
	Mode: "a heap floor or GOGC=400",
}
