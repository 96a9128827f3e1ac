package cures

import "testing"

func BenchmarkKeys(b *testing.B) {
	k := newKeys()
	b.ReportAllocs()
	for b.Loop() {
		k.count()
	}
}

func BenchmarkAnswers(b *testing.B) {
	var a answers
	b.ReportAllocs()
	for b.Loop() {
		a.write(1000)
	}
}

func BenchmarkBuffers(b *testing.B) {
	s := newBuffers()
	b.ReportAllocs()
	for b.Loop() {
		s.read()
	}
}

func BenchmarkWriters(b *testing.B) {
	w := newWriters()
	b.ReportAllocs()
	for b.Loop() {
		if err := w.write(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCache(b *testing.B) {
	c := newCache()
	b.ReportAllocs()
	key := uint64(0)
	for b.Loop() {
		c.lookup(key)
		key += 0x9e3779b97f4a7c15
	}
}

func BenchmarkParse(b *testing.B) {
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		p := newParser()
		for pb.Next() {
			p.serve()
		}
	})
}

func BenchmarkEvents(b *testing.B) {
	var e events
	b.ReportAllocs()
	for b.Loop() {
		e.emit(1000)
	}
}

func BenchmarkTallies(b *testing.B) {
	t := newTallies()
	b.ReportAllocs()
	for b.Loop() {
		t.tally()
	}
}

func BenchmarkFields(b *testing.B) {
	f := newFields()
	b.ReportAllocs()
	for b.Loop() {
		f.read()
	}
}

func BenchmarkPaths(b *testing.B) {
	p := newPaths()
	b.ReportAllocs()
	for b.Loop() {
		for x := range 64 {
			p.walk(x, 63)
		}
	}
}
