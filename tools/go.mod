// The linters and checkers that .ci/run uses, in a module of their own so that they never
// enter the go.mod of those who import Heapwright.
module github.com/heapwright/heapwright/tools

go 1.26.0

tool honnef.co/go/tools/cmd/staticcheck

require golang.org/x/tools v0.52.0

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)
