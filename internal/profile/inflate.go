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

// inflater holds whole profiles in memory that is reused: a slice is parsed faster
// than a stream, and a profile is small.
type inflater struct {
	raw, inflated []byte
	gzip          gzip.Reader
	zstd          *zstd.Decoder
}

// read returns all of r, which is valid until the next call.
func (in *inflater) read(r io.Reader, limit int64) (_ []byte, err error) {
	in.raw, err = readAll(in.raw, r, limit)
	return in.raw, err
}

// inflate returns data inflated, valid until the next call; data itself if it is
// not compressed.
func (in *inflater) inflate(data []byte, limit int64) ([]byte, error) {
	switch kind := compression(data); {
	case kind == "gzip":
		return in.gunzip(data, limit)
	case kind == "zstd":
		return in.unzstd(data, limit)
	case int64(len(data)) > limit:
		return nil, tooLarge(limit)
	}
	return data, nil
}

// compression names the format that data is compressed in; "" is none.
func compression(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		return "gzip"
	case bytes.HasPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	}
	return ""
}

func (in *inflater) gunzip(data []byte, limit int64) ([]byte, error) {
	if err := in.gzip.Reset(bytes.NewReader(data)); err != nil {
		return nil, badStream("gzip", err)
	}
	// The last four bytes hold the inflated size modulo 4 GiB, unless they lie or end
	// the last stream of several. Nearly all profiles inflate to less than eight times
	// their size, so a lie costs no more than that.
	size := int64(binary.LittleEndian.Uint32(data[len(data)-4:]))
	size = min(size, limit, 8*int64(len(data)))
	in.inflated = slices.Grow(in.inflated[:0], int(size)+1)
	var err error
	in.inflated, err = readAll(in.inflated, &in.gzip, limit)
	return in.inflated, badStream("gzip", err)
}

// maxWindow bounds the window of a zstd stream, which is allocated when it is
// announced. Encoders use up to 32 MiB unless they are asked for more.
const maxWindow = 32 << 20

// unzstd reads a stream: DecodeAll allocates as much as the data announces.
func (in *inflater) unzstd(data []byte, limit int64) (_ []byte, err error) {
	if in.zstd == nil {
		in.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
	}
	if err := in.zstd.Reset(bytes.NewReader(data)); err != nil {
		return nil, badStream("zstd", err)
	}
	defer in.zstd.Reset(nil) // forgets data
	in.inflated, err = readAll(in.inflated, in.zstd, limit)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) {
		return nil, fmt.Errorf("the zstd stream needs a window of more than %d MiB; compress the profile again without --long and --ultra", maxWindow>>20)
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

// readAll reads r to its end into buf's memory, at most limit bytes. A large file
// is read in parts that are joined once: a slice that grows leaves several times
// its size behind before the collector takes it.
func readAll(buf []byte, r io.Reader, limit int64) ([]byte, error) {
	const part = 32 << 20
	var parts [][]byte
	left := limit
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) && len(buf) >= part {
			left -= int64(len(buf))
			parts, buf = append(parts, buf), make([]byte, 0, part)
		} else if len(buf) == cap(buf) {
			buf = slices.Grow(buf, 64<<10)
		}
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > left {
			return nil, tooLarge(limit)
		}
		if err == io.EOF && parts != nil {
			return slices.Concat(append(parts, buf)...), nil
		}
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
	}
}
