//go:build unix

package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	pprof "github.com/google/pprof/profile"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/klauspost/compress/gzip"
)

var corpus = flag.String("corpus", "", "directory written by this command")

// files returns the corpus, as it is or inflated.
func files(b *testing.B, inflate bool) (all [][]byte) {
	names, err := filepath.Glob(filepath.Join(*corpus, "*.pb.gz"))
	if err != nil || *corpus == "" || len(names) == 0 {
		b.Skip("no profiles: go run ./internal/profile/corpus -out DIR, then -corpus DIR")
	}
	for _, name := range names {
		file, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		if inflate {
			r, err := gzip.NewReader(bytes.NewReader(file))
			if err != nil {
				b.Fatal(err)
			}
			var raw bytes.Buffer
			if _, err := raw.ReadFrom(r); err != nil {
				b.Fatal(err)
			}
			file = raw.Bytes()
		}
		all = append(all, file)
	}
	return all
}

// One operation decodes the whole corpus. Heapwright decodes it in two ways:
// each profile with a dictionary of its own, and all over a shared one. Compare
// cpu-sec/op, with GOMAXPROCS=1.
func BenchmarkDecode(b *testing.B) {
	for _, from := range []string{"gzip", "raw"} {
		all := files(b, from == "raw")
		b.Run("from="+from+"/with=pprof", func(b *testing.B) {
			decodeAll(b, all, func() func([]byte) error {
				return func(file []byte) error {
					_, err := pprof.ParseData(file)
					return err
				}
			})
		})
		for name, dict := range map[string]func() *profile.Dict{
			"heapwright":        func() *profile.Dict { return nil },
			"heapwright-shared": func() *profile.Dict { return new(profile.Dict) },
		} {
			b.Run("from="+from+"/with="+name, func(b *testing.B) {
				decodeAll(b, all, func() func([]byte) error {
					d := profile.NewDecoder(profile.Options{Dict: dict()})
					return func(file []byte) error {
						_, err := d.DecodeBytes("heap", file)
						return err
					}
				})
			})
		}
	}
}

func decodeAll(b *testing.B, all [][]byte, newDecode func() func([]byte) error) {
	b.ReportAllocs()
	start := cpuTime(b)
	for b.Loop() {
		decode := newDecode()
		for _, file := range all {
			if err := decode(file); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric((cpuTime(b)-start).Seconds()/float64(b.N), "cpu-sec/op")
}
