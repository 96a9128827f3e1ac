package store

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/heapwright/heapwright/internal/profile"
)

// go run ./internal/profile/corpus -out DIR makes profiles.
var corpus = flag.String("corpus", "", "measure with the profiles in `DIR`")

func corpusFiles(b *testing.B) (files [][]byte, size int) {
	names, err := filepath.Glob(filepath.Join(*corpus, "*.pb.gz"))
	if *corpus == "" || len(names) == 0 || err != nil {
		b.Skip("no profiles: go run ./internal/profile/corpus -out DIR, then -corpus DIR")
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		files, size = append(files, data), size+len(data)
	}
	return files, size
}

// BenchmarkAppend keeps all profiles of the corpus, in order, as one process's.
func BenchmarkAppend(b *testing.B) {
	files, size := corpusFiles(b)
	for b.Loop() {
		dir := b.TempDir()
		s := open(b, dir, Options{})
		for i, data := range files {
			e := Entry{Service: "shop", Time: noon.Add(time.Duration(i-len(files)) * 15 * time.Second)}
			if _, err := s.Append(b.Context(), e, data); err != nil {
				b.Fatal(err)
			}
		}
		u, err := s.Usage()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(u.Bytes)/float64(len(files)), "B/profile")
		b.ReportMetric(float64(u.Bytes)/float64(size), "of-gz")
		all, err := s.Select(b.Context(), Query{Service: "shop", From: noon.Add(-24 * time.Hour), To: noon})
		if err != nil {
			b.Fatal(err)
		}
		sum := 0
		for _, e := range all {
			sum += e.Size
		}
		b.ReportMetric(float64(sum)/float64(len(files)), "B/value")
		s.Close()
	}
}

// BenchmarkMerge adds all profiles of the corpus up.
func BenchmarkMerge(b *testing.B) {
	files, _ := corpusFiles(b)
	for _, kind := range []string{Heap, "summed"} {
		s := open(b, b.TempDir(), Options{})
		for i, data := range files {
			e := Entry{Service: "shop", Kind: kind, Time: noon.Add(time.Duration(i-len(files)) * 15 * time.Second)}
			if _, err := s.Append(b.Context(), e, data); err != nil {
				b.Fatal(err)
			}
		}
		b.Run(kind, func(b *testing.B) {
			b.ReportAllocs()
			var p *profile.Profile
			for b.Loop() {
				var err error
				if p, err = s.Merge(b.Context(), Query{Service: "shop", From: noon.Add(-24 * time.Hour), To: noon}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(p.Len()), "samples")
		})
		s.Close()
	}
}
