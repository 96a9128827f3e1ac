package foreign

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is a field of a message.
type field struct {
	number protowire.Number
	n      uint64 // a number
	data   []byte // text, bytes, a message or packed numbers
}

// ErrForm is wrapped by the error of a message that is none, or of another version.
var ErrForm = errors.New("no message of OTLP's profiles v1development")

// each calls do for the fields of a message.
func each(message []byte, do func(field) error) error {
	for len(message) > 0 {
		id, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", ErrForm, protowire.ParseError(n))
		}
		message = message[n:]
		f := field{number: id}
		switch kind {
		case protowire.VarintType:
			f.n, n = protowire.ConsumeVarint(message)
		case protowire.Fixed64Type:
			f.n, n = protowire.ConsumeFixed64(message)
		case protowire.BytesType:
			f.data, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(id, kind, message)
		}
		if n < 0 {
			return fmt.Errorf("%w: %w", ErrForm, protowire.ParseError(n))
		}
		message = message[n:]
		if err := do(f); err != nil {
			return err
		}
	}
	return nil
}

// varints calls do for the numbers of a repeated field, which may be packed.
func (f field) varints(do func(uint64) error) error {
	if f.data == nil {
		return do(f.n)
	}
	for data := f.data; len(data) > 0; {
		v, n := protowire.ConsumeVarint(data)
		if n < 0 {
			return fmt.Errorf("%w: %w", ErrForm, protowire.ParseError(n))
		}
		data = data[n:]
		if err := do(v); err != nil {
			return err
		}
	}
	return nil
}
