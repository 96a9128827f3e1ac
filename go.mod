module github.com/heapwright/heapwright

go 1.26

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/google/go-cmp v0.7.0
	golang.org/x/perf v0.0.0-20250813145418-2f7363a06fe1
	pgregory.net/rapid v1.3.0
)

require github.com/aclements/go-moremath v0.0.0-20210112150236-f10218a38794 // indirect
