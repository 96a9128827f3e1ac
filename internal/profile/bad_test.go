package profile

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	gpprof "github.com/google/pprof/profile"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

func gz(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// proto builds a message: field and value, where a value is a number, text or a
// message built likewise.
func proto(fields ...any) []byte {
	var b fieldWriter
	for i := 0; i < len(fields); i += 2 {
		switch v := fields[i+1].(type) {
		case int:
			b.always(fields[i].(int), uint64(v))
		case uint64:
			b.always(fields[i].(int), v)
		case string:
			b.text(fields[i].(int), v)
		case []byte:
			b.message(fields[i].(int), v)
		}
	}
	return b
}

func TestBadInput(t *testing.T) {
	heap := realProfiles()["heap"]
	st := proto(1, 1, 2, 2)
	text := func(more ...any) []byte {
		return append(proto(append([]any{6, "", 6, "a", 6, "b"}, more...)...), proto(1, st)...)
	}
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"empty":                  {nil, "the file is empty"},
		"empty gzip":             {gz(t, nil), "the file is empty"},
		"gzip cut off":           {heap[:len(heap)/2], "gzip stream is cut off"},
		"gzip magic alone":       {heap[:2], "gzip stream is cut off"},
		"gzip damaged":           {append(bytes.Clone(heap[:len(heap)-6]), 0, 0, 0, 0, 0, 0), "gzip stream is damaged"},
		"zstd cut off":           {[]byte{0x28, 0xb5, 0x2f, 0xfd, 0x04}, "zstd stream"},
		"HTML":                   {[]byte("\n<!DOCTYPE html><p>404"), "an HTML page"},
		"HTML, gzipped":          {gz(t, []byte("<html>login")), "an HTML page"},
		"JSON":                   {[]byte(`{"error":"no"}`), "JSON"},
		"text":                   {[]byte("heap profile: 1: 2 [3: 4] @ heap/1048576\n"), "?debug=1"},
		"noise":                  {[]byte("\x00\xff\xfe\x1b[31m"), "not a valid profile"},
		"number cut off":         {[]byte{0x48, 0x80}, "cut off"},
		"number too long":        {append([]byte{0x48}, bytes.Repeat([]byte{0x80}, 10)...), "longer than 10 bytes"},
		"length past the end":    {[]byte{0x32, 5, 'a'}, "longer than the message around it"},
		"length of 2^63":         {proto(15, uint64(1<<63), 6, "x")[:10], "a number is cut off"},
		"group":                  {[]byte{0x0b}, "a type that"},
		"no strings":             {proto(9, 1), "string 0 of 0"},
		"first string not empty": {proto(6, "x"), "first string is not empty"},
		"string out of range":    {text(7, 99), "string 99 of 3"},
		"negative string":        {text(7, uint64(math.MaxUint64)), "string -1 of 3"},
		"text where a number is": {text(9, "x"), "a type that"},
		"number where a message": {text(2, 5), "a type that"},
		"location missing":       {text(2, proto(1, 7, 2, 1)), "location 7 is not in the profile"},
		"location 0":             {text(4, proto(1, 0)), "id 0 is 0 or used twice"},
		"location twice":         {text(4, proto(1, 3), 4, proto(1, 3)), "id 3 is 0 or used twice"},
		"location twice, far":    {text(4, proto(1, uint64(1<<63)), 4, proto(1, uint64(1<<63))), "used twice"},
		"function missing":       {text(4, proto(1, 1, 4, proto(1, 9))), "function 9 is not in the profile"},
		"function twice":         {text(5, proto(1, 1), 5, proto(1, 1)), "id 1 is 0 or used twice"},
		"mapping 0":              {text(3, proto(2, 1)), "id 0 is 0 or used twice"},
		"too few values":         {text(2, proto(1, "")), "0 values for 1 sample types"},
		"too many values":        {text(2, proto(2, "\x01\x02")), "2 values for 1 sample types"},
		"samples without types":  {proto(6, "", 2, proto(2, 1)), "no sample types"},
		"first period type bad":  {text(11, "\x08\x80", 11, st), "cut off"},
		"label key out of range": {text(2, proto(2, 1, 3, proto(1, 50, 3, 1))), "string 50 of 3"},
		"two profiles":           {append(text(9, 5), text(9, 5)...), "two profiles"},
		"field 0":                {text(0, 1), "a number that protobuf does not allow"},
		"field 0 with a length":  {text(0, "x"), "a number that protobuf does not allow"},
		"field 0 in a message":   {text(5, proto(0, 1, 1, 1)), "a number that protobuf does not allow"},
		"field 0 in a sample":    {text(2, proto(2, "\x01", 0, 1)), "a number that protobuf does not allow"},
		"field 2^29":             {text(1<<29, 1), "a number that protobuf does not allow"},
		"wrong magic":            {append([]byte{0, 0, 0, 0}, text()...), "a number that protobuf does not allow"},
		"trailing garbage":       {append(gz(t, text()), "trailing garbage"...), "gzip stream is damaged"},
		"gzip twice":             {gz(t, heap), "compressed twice"},
		"columns out of proportion": {append(text(), bytes.Repeat(append(proto(2, ""), proto(1, "")...), 500)...),
			"do not fit"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := NewDecoder(Options{}).Decode("some file", bytes.NewReader(c.file))
			if err == nil {
				t.Fatalf("accepted: %+v", p)
			}
			if !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), `"some file"`) {
				t.Errorf("%q does not say %q and the file's name", err, c.says)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") {
				t.Errorf("%q is not one harmless line", err)
			}
		})
	}
}

func TestBombs(t *testing.T) {
	zeros := make([]byte, 4<<20)
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	liar := gz(t, zeros)
	copy(liar[len(liar)-4:], []byte{1, 0, 0, 0}) // it says that it is one byte long
	for name, file := range map[string][]byte{
		"gzip": gz(t, zeros), "gzip that lies": liar, "zstd": enc.EncodeAll(zeros, nil), "raw": zeros,
	} {
		d := NewDecoder(Options{MaxBytes: 1 << 20})
		_, err := d.Decode("bomb", bytes.NewReader(file))
		if !errors.Is(err, ErrTooLarge) || !strings.Contains(err.Error(), "-max-bytes") {
			t.Errorf("%s: %v", name, err)
		}
		if got := cap(d.inflater.inflated); got > 4<<20 {
			t.Errorf("%s: %d bytes were inflated", name, got)
		}
	}
}

func TestWhatIsUnusualIsKept(t *testing.T) {
	st := proto(1, 1, 2, 2)
	long := strings.Repeat("x", 1<<20)
	raw := bytes.Join([][]byte{
		proto(6, "", 6, "a", 6, "b", 6, long, 6, ""),
		proto(99, "unknown", 1000, 5, 1, st, 1, st),
		proto(4, proto(1, uint64(math.MaxUint64), 3, uint64(math.MaxUint64), 2, 77)), // a mapping that is not there
		proto(5, proto(1, 1<<40, 2, 3)), proto(4, proto(1, 5, 4, proto(1, 1<<40, 2, uint64(1<<63)))),
		proto(2, proto(1, uint64(math.MaxUint64), 1, 5, 2, 1, 2, uint64(1<<63))), // not packed
		proto(2, proto(2, "\x01\x02", 1, "\x05\x05", 3, proto(1, 1, 2, 3), 3, proto(), 3, proto(1, 1, 3, 0, 4, 2))),
		{0xf9, 0x3f, 1, 2, 3, 4, 5, 6, 7, 8}, {0xfd, 0x3f, 1, 2, 3, 4}, // unknown, of fixed size
		{0x60, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f}, // more than 64 bits
	}, nil)
	want, err := parsePprof(raw)
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, viaPprof(t, decodeRaw(t, raw)), kept(t, want))
}

func TestEmptyProfile(t *testing.T) {
	empty := &gpprof.Profile{SampleType: []*gpprof.ValueType{{Type: "cpu", Unit: "nanoseconds"}}}
	p := decodeRaw(t, rawOf(t, empty))
	if p.Len() != 0 || p.Total(0) != 0 || len(p.Group(0)) != 0 || p.DefaultColumn() != 0 {
		t.Errorf("an empty profile is not empty: %+v", p)
	}
	wantSame(t, viaPprof(t, p), kept(t, empty))
}

func TestZstd(t *testing.T) {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewDecoder(Options{}).DecodeBytes("z", enc.EncodeAll(rawOf(t, full()), nil))
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, viaPprof(t, p), kept(t, full()))
}
