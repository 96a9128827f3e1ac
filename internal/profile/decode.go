package profile

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/heapwright/heapwright/internal/input"
)

// DefaultMaxBytes bounds the memory of a profile unless Options say otherwise. The
// largest profiles of real services are some 100 MB, inflated.
const DefaultMaxBytes = 1 << 30

// ErrTooLarge is the error of Decode for input above Options.MaxBytes.
var ErrTooLarge = errors.New("larger than the limit")

// Options say how profiles are decoded. The zero value is useful.
type Options struct {
	// MaxBytes bounds the inflated size of a profile and, with some 100 MB to
	// spare, the memory of a process that decodes it, Held and held profiles
	// included; 0 is DefaultMaxBytes. Values above 4 GiB count as 4 GiB.
	MaxBytes int64
	// Held is how many bytes of memory the caller holds besides.
	Held int64
	// Dict is shared by all profiles decoded; nil gives each one its own.
	Dict *Dict
	// Rebase gives the same binary in different profiles the same addresses,
	// although the system loaded it elsewhere each time, so that equal
	// locations have equal numbers. It changes mappings and addresses of all
	// but the first profile: for merging and comparing. It needs one Dict for
	// all: without one, the decoder makes it.
	Rebase bool
	// Open opens files; nil is input.Opener's, which waits for a pipe as long as it
	// takes.
	Open func(name string) (io.ReadCloser, error)
}

// Decoder decodes one profile after the other and reuses its memory for it. It
// serves one goroutine.
type Decoder struct {
	opts     Options
	inflater inflater
	parser   parser
}

// NewDecoder returns a decoder.
func NewDecoder(opts Options) *Decoder {
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = DefaultMaxBytes
	}
	opts.MaxBytes = min(opts.MaxBytes, math.MaxUint32)
	if opts.Open == nil {
		opts.Open = input.Opener{}.Open
	}
	d := &Decoder{opts: opts}
	if opts.Rebase {
		if d.opts.Dict == nil {
			d.opts.Dict = new(Dict)
		}
		d.parser.known = make(map[mappingKey]MappingID)
	}
	d.parser.lend = d.opts.Dict == nil
	d.parser.limit = memoryLimit(d.opts.MaxBytes)
	return d
}

// Hold counts a profile that stays in memory against the limit of those that are
// decoded afterwards.
func (d *Decoder) Hold(p *Profile) {
	d.opts.Held += p.Memory()
	if p.Dict == d.opts.Dict { // counts by itself
		d.opts.Held -= p.Dict.memory()
	}
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

// DecodeBytes is Decode for data in memory, of which it keeps nothing.
func (d *Decoder) DecodeBytes(name string, data []byte) (*Profile, error) {
	p := &Profile{file: new(symbols)}
	if err := d.decodeBytes(p, name, data); err != nil {
		return nil, err
	}
	return p, nil
}

// DecodeFile reads a profile from a file.
func (d *Decoder) DecodeFile(name string) (*Profile, error) {
	f, err := d.opts.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return d.Decode(name, f)
}

// ReadFile reads one profile from a file with default options.
func ReadFile(name string) (*Profile, error) { return NewDecoder(Options{}).DecodeFile(name) }

func (d *Decoder) decode(p *Profile, name string, r io.Reader) error {
	data, err := d.inflater.read(r, d.limit(0))
	if err != nil {
		return fmt.Errorf("profile %q: %w", name, err)
	}
	return d.decodeBytes(p, name, data)
}

// decodeBytes fills p, whose columns it reuses. After an error p holds nothing.
func (d *Decoder) decodeBytes(p *Profile, name string, data []byte) error {
	defer d.tidy()
	limit := d.limit(0)
	if compression(data) != "" {
		limit = d.limit(len(data))
	}
	raw, err := d.inflater.inflate(data, limit)
	if err == nil {
		if sizeof(d.inflater.raw) > usual/4 && sizeof(d.inflater.inflated) > 0 {
			d.inflater.raw, data = nil, nil // inflated takes its place
		}
		d.parser.base = d.opts.Held + sizeof(d.inflater.raw) + sizeof(d.inflater.inflated)
		p.Name, p.Dict = name, d.opts.Dict
		if p.Dict == nil {
			p.Dict = new(Dict)
		}
		if err = d.parser.parse(p, raw); errors.Is(err, errMalformed) {
			if converted, ok := fromDump(raw); ok {
				err = d.parser.parse(p, converted)
			}
		}
	}
	if err == nil {
		return nil
	}
	*p = Profile{}
	if errors.Is(err, ErrTooLarge) && d.opts.Held>>20 > 0 {
		err = fmt.Errorf("%w, beside %d MiB that are held already", err, d.opts.Held>>20)
	}
	if errors.Is(err, errMalformed) {
		if kind := sniff(raw); kind != "" {
			return fmt.Errorf("profile %q: %s", name, kind)
		}
	}
	return fmt.Errorf("profile %q: %w", name, err)
}

// limit is how large a file may be, packed or inflated, beside the packed one.
func (d *Decoder) limit(packed int) int64 {
	return max(1, min(d.opts.MaxBytes, d.parser.limit-d.opts.Held-int64(packed)))
}

// usual is how much memory the decoder of ordinary profiles keeps, in bytes.
const usual = 64 << 20

// tidy gives back memory that only an unusually large file needs.
func (d *Decoder) tidy() {
	if sizeof(d.inflater.raw)+sizeof(d.inflater.inflated) > usual {
		d.inflater = inflater{}
	}
	if s := &d.parser; s.scratch()+s.spare.memory() > usual {
		*s = parser{known: s.known, lend: s.lend, limit: s.limit}
	}
}
