package profile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// input reads whole profiles into memory that it reuses: parsing a slice is what
// makes decoding fast, and a profile is small.
type input struct {
	raw, inflated []byte
	gzip          gzip.Reader
	zstd          *zstd.Decoder
	zstdMax       int64 // what zstd was made with
}

// read returns all of r, which is valid until the next call.
func (in *input) read(r io.Reader, limit int64) (_ []byte, err error) {
	in.raw, err = readAll(in.raw, r, limit)
	return in.raw, err
}

// inflate returns data inflated, valid until the next call; data itself if it is
// not compressed.
func (in *input) inflate(data []byte, limit int64) ([]byte, error) {
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		return in.gunzip(data, limit)
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return in.unzstd(data, limit)
	case int64(len(data)) > limit:
		return nil, tooLarge(limit)
	}
	return data, nil
}

func (in *input) gunzip(data []byte, limit int64) ([]byte, error) {
	if err := in.gzip.Reset(bytes.NewReader(data)); err != nil {
		return nil, badStream("gzip", err)
	}
	// The last four bytes tell the inflated size modulo 4 GiB, unless they lie:
	// deflate cannot do better than 1032:1, and what is large may grow as it comes.
	tell := int64(binary.LittleEndian.Uint32(data[len(data)-4:]))
	tell = min(tell, limit, 1032*int64(len(data)), 64<<20)
	in.inflated = slices.Grow(in.inflated[:0], int(tell)+1)
	var err error
	in.inflated, err = readAll(in.inflated, &in.gzip, limit)
	return in.inflated, badStream("gzip", err)
}

func (in *input) unzstd(data []byte, limit int64) (_ []byte, err error) {
	if in.zstd == nil || in.zstdMax != limit {
		in.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(limit)))
		if err != nil {
			return nil, err
		}
		in.zstdMax = limit
	}
	in.inflated, err = in.zstd.DecodeAll(data, in.inflated[:0])
	if errors.Is(err, zstd.ErrDecoderSizeExceeded) || errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return nil, tooLarge(limit)
	}
	return in.inflated, badStream("zstd", err)
}

func badStream(format string, err error) error {
	switch {
	case err == nil || errors.Is(err, ErrTooLarge):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("the %s stream is cut off; fetch or copy the profile again", format)
	}
	return fmt.Errorf("the %s stream is damaged (%w); fetch or copy the profile again", format, err)
}

func tooLarge(limit int64) error {
	return fmt.Errorf("%w of %d bytes inflated; allow more with -max-bytes if you trust it", ErrTooLarge, limit)
}

// readAll reads r to its end into buf's memory, at most limit bytes.
func readAll(buf []byte, r io.Reader, limit int64) ([]byte, error) {
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, 64<<10)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, tooLarge(limit)
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
