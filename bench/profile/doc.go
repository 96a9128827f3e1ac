// Package profile measures internal/profile beside github.com/google/pprof on
// profiles that the command corpus makes:
//
//	go run ./profile/corpus -out /tmp/corpus
//	GOMAXPROCS=1 go test ./profile -run '^$' -bench Decode -corpus /tmp/corpus
//	go test ./profile -run MergeEqual -bench Merge -corpus /tmp/corpus
package profile
