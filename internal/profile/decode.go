package profile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// DefaultMaxBytes is how large a profile may be when inflated, unless Options
// say otherwise. The largest profiles of real services are some 100 MB.
const DefaultMaxBytes = 1 << 30

// ErrTooLarge is what Decode returns for input above Options.MaxBytes.
var ErrTooLarge = errors.New("larger than the limit")

// Options say how profiles are decoded. The zero value is useful.
type Options struct {
	// MaxBytes bounds the inflated size of a profile; 0 is DefaultMaxBytes.
	// It also bounds memory: decoding takes at most about ten times as much, or
	// twenty where files share a Dict. Values above 4 GiB count as 4 GiB.
	MaxBytes int64
	// Dict is shared by all profiles decoded; nil gives each one its own.
	Dict *Dict
	// Rebase gives the same binary in different profiles the same addresses,
	// although the system loaded it elsewhere each time, so that equal
	// locations have equal numbers. It changes mappings and addresses of all
	// but the first profile: for merging and comparing. It needs one Dict for
	// all: without one, the decoder makes it.
	Rebase bool
}

// Decoder decodes one profile after the other and reuses its memory for it. It
// serves one goroutine.
type Decoder struct {
	opts   Options
	input  input
	parser parser
}

// NewDecoder returns a decoder.
func NewDecoder(opts Options) *Decoder {
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = DefaultMaxBytes
	}
	opts.MaxBytes = min(opts.MaxBytes, math.MaxUint32)
	d := &Decoder{opts: opts}
	if opts.Rebase {
		if d.opts.Dict == nil {
			d.opts.Dict = new(Dict)
		}
		d.parser.known = make(map[mappingKey]MappingID)
	}
	d.parser.lend = d.opts.Dict == nil
	return d
}

// Decode reads a profile that is gzip- or zstd-compressed or raw. The name is
// for messages: every error is one line that begins with it.
func (d *Decoder) Decode(name string, r io.Reader) (*Profile, error) {
	p := &Profile{file: new(symbols)}
	if err := d.decode(p, name, r); err != nil {
		return nil, err
	}
	return p, nil
}

// DecodeBytes is Decode for what is in memory already. It keeps none of data.
func (d *Decoder) DecodeBytes(name string, data []byte) (*Profile, error) {
	p := &Profile{file: new(symbols)}
	if err := d.decodeBytes(p, name, data); err != nil {
		return nil, err
	}
	return p, nil
}

// DecodeFile reads a profile from a file.
func (d *Decoder) DecodeFile(name string) (*Profile, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return d.Decode(name, f)
}

// ReadFile reads one profile from a file with default options.
func ReadFile(name string) (*Profile, error) { return NewDecoder(Options{}).DecodeFile(name) }

func (d *Decoder) decode(p *Profile, name string, r io.Reader) error {
	data, err := d.input.read(r, d.opts.MaxBytes)
	if err != nil {
		return fmt.Errorf("profile %q: %w", name, err)
	}
	return d.decodeBytes(p, name, data)
}

// decodeBytes fills p, whose columns it reuses. After an error p holds nothing.
func (d *Decoder) decodeBytes(p *Profile, name string, data []byte) error {
	raw, err := d.input.inflate(data, d.opts.MaxBytes)
	if err == nil {
		p.Name, p.Dict = name, d.opts.Dict
		if p.Dict == nil {
			p.Dict = new(Dict)
		}
		err = d.parser.parse(p, raw)
	}
	if err == nil {
		return nil
	}
	*p = Profile{}
	if errors.Is(err, errMalformed) {
		if kind := sniff(raw); kind != "" {
			return fmt.Errorf("profile %q: %s", name, kind)
		}
	}
	return fmt.Errorf("profile %q: %w", name, err)
}
