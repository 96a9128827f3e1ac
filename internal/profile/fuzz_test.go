package profile

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// FuzzDecode: whatever the bytes, compressed or not, there is a profile or a
// one-line error that names the file, never a panic.
func FuzzDecode(f *testing.F) {
	for _, file := range realProfiles() {
		f.Add(file)
		f.Add(file[:len(file)/2])
	}
	f.Add(rawOf(f, full()))
	f.Add([]byte(oldDump))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := NewDecoder(Options{MaxBytes: 1 << 20, Rebase: len(file)%2 == 0}).Decode("the file", bytes.NewReader(file))
		if err != nil {
			if s := err.Error(); !strings.Contains(s, `"the file"`) || strings.ContainsAny(s, "\n\r\x1b") {
				t.Fatalf("%q is not one line that names the file", s)
			}
			return
		}
		if err := p.EncodeRaw(new(bytes.Buffer)); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzAgree: a profile that google/pprof accepts is accepted and kept in full; one
// that it refuses is refused.
func FuzzAgree(f *testing.F) {
	f.Add(rawOf(f, full()))
	for _, file := range realProfiles() {
		var in inflater
		raw, err := in.inflate(file, DefaultMaxBytes)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(bytes.Clone(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		if bytes.HasPrefix(raw, []byte{0x1f, 0x8b}) || bytes.HasPrefix(raw, []byte{0x28, 0xb5, 0x2f, 0xfd}) {
			t.Skip("compressed")
		}
		if _, isDump := fromDump(raw); isDump {
			t.Skip("text that only we read")
		}
		want, refused := parsePprof(raw)
		got, err := NewDecoder(Options{}).Decode("fuzz", bytes.NewReader(raw))
		if errors.Is(err, errField) {
			return // google/pprof skips such a field
		}
		if (err == nil) != (refused == nil) {
			t.Fatalf("we: %v\ngoogle/pprof: %v", err, refused)
		}
		if err == nil {
			wantSame(t, viaPprof(t, got), kept(t, want))
		}
	})
}

// FuzzFollow: profiles decoded before into the same dictionary change nothing,
// whether the decoder finds its way in it or not.
func FuzzFollow(f *testing.F) {
	var all [][]byte
	for _, file := range realProfiles() {
		var in inflater
		raw, err := in.inflate(file, DefaultMaxBytes)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, bytes.Clone(raw))
	}
	changed := full()
	changed.Sample = append(changed.Sample[2:3:3], changed.Sample...)
	changed.Location[0], changed.Location[2] = changed.Location[2], changed.Location[0]
	all = append(all, rawOf(f, full()), rawOf(f, changed))
	for i := range all {
		f.Add(all[i], all[i])
		f.Add(all[i], all[(i+1)%len(all)])
	}
	f.Fuzz(func(t *testing.T, before, raw []byte) {
		d := NewDecoder(Options{MaxBytes: 1 << 20, Dict: new(Dict)})
		d.DecodeBytes("before", before) // an error, too, must leave nothing that misleads
		got, err := d.DecodeBytes("raw", raw)
		want, refused := NewDecoder(Options{MaxBytes: 1 << 20}).DecodeBytes("raw", raw)
		if (err == nil) != (refused == nil) {
			t.Fatalf("after another: %v\nalone: %v", err, refused)
		}
		if err == nil {
			wantSame(t, viaPprof(t, got), viaPprof(t, want))
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	file := realProfiles()["heap"]
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		b.Fatal(err)
	}
	var raw bytes.Buffer
	if _, err := raw.ReadFrom(r); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(raw.Len()))
	d := NewDecoder(Options{})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Decode("heap", bytes.NewReader(raw.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
