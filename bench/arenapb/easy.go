package main

import (
	"errors"

	"github.com/VictoriaMetrics/easyproto"
)

// The types that a decoder written by hand with easyproto fills. Their slices
// are kept for the next request, and text refers to the input.
type (
	easyRequest struct{ resources []easyResource }

	easyResource struct {
		attributes []easyAttribute
		scopes     []easyScope
	}

	easyScope struct {
		name, version string
		spans         []easySpan
	}

	easySpan struct {
		traceID, spanID, parent []byte
		name                    string
		kind, status            int32
		start, end              uint64
		flags                   uint32
		attributes              []easyAttribute
	}

	easyAttribute struct{ key, text string }
)

var errEasy = errors.New("easyproto cannot decode the request")

func (r *easyRequest) reset() { r.resources = r.resources[:0] }

// more returns a slice with one more value, which keeps the slices of its last
// use.
func more[T any](s []T) []T {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	var zero T
	return append(s, zero)
}

// The decoders are loops of their own: closures would allocate, and a loop that all share as
// a method takes 1.7 times as long.

func (r *easyRequest) unmarshal(data []byte) (err error) {
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		if fc.FieldNum == 1 {
			r.resources = more(r.resources)
			inner, ok := fc.MessageData()
			if !ok || r.resources[len(r.resources)-1].unmarshal(inner) != nil {
				return errEasy
			}
		}
	}
	return nil
}

func (r *easyResource) unmarshal(data []byte) (err error) {
	r.attributes, r.scopes = r.attributes[:0], r.scopes[:0]
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		switch fc.FieldNum {
		case 1:
			inner, ok := fc.MessageData()
			if !ok || r.unmarshalResource(inner) != nil {
				return errEasy
			}
		case 2:
			r.scopes = more(r.scopes)
			inner, ok := fc.MessageData()
			if !ok || r.scopes[len(r.scopes)-1].unmarshal(inner) != nil {
				return errEasy
			}
		}
	}
	return nil
}

func (r *easyResource) unmarshalResource(data []byte) (err error) {
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		if fc.FieldNum == 1 {
			r.attributes = more(r.attributes)
			inner, ok := fc.MessageData()
			if !ok || r.attributes[len(r.attributes)-1].unmarshal(inner) != nil {
				return errEasy
			}
		}
	}
	return nil
}

func (s *easyScope) unmarshal(data []byte) (err error) {
	s.spans = s.spans[:0]
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		if fc.FieldNum > 2 {
			continue
		}
		inner, ok := fc.MessageData()
		if !ok {
			return errEasy
		}
		if fc.FieldNum == 1 {
			err = s.unmarshalScope(inner)
		} else {
			s.spans = more(s.spans)
			err = s.spans[len(s.spans)-1].unmarshal(inner)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *easyScope) unmarshalScope(data []byte) (err error) {
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			s.name, ok = fc.String()
		case 2:
			s.version, ok = fc.String()
		}
		if !ok {
			return errEasy
		}
	}
	return nil
}

func (s *easySpan) unmarshal(data []byte) (err error) {
	*s = easySpan{attributes: s.attributes[:0]}
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		var inner []byte
		ok := true
		switch fc.FieldNum {
		case 1:
			s.traceID, ok = fc.Bytes()
		case 2:
			s.spanID, ok = fc.Bytes()
		case 4:
			s.parent, ok = fc.Bytes()
		case 5:
			s.name, ok = fc.String()
		case 6:
			s.kind, ok = fc.Int32()
		case 7:
			s.start, ok = fc.Fixed64()
		case 8:
			s.end, ok = fc.Fixed64()
		case 9:
			s.attributes = more(s.attributes)
			if inner, ok = fc.MessageData(); ok {
				ok = s.attributes[len(s.attributes)-1].unmarshal(inner) == nil
			}
		case 15:
			if inner, ok = fc.MessageData(); ok {
				ok = s.unmarshalStatus(inner) == nil
			}
		case 16:
			s.flags, ok = fc.Fixed32()
		}
		if !ok {
			return errEasy
		}
	}
	return nil
}

func (s *easySpan) unmarshalStatus(data []byte) (err error) {
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		if fc.FieldNum == 3 {
			s.status, _ = fc.Int32()
		}
	}
	return nil
}

func (a *easyAttribute) unmarshal(data []byte) (err error) {
	*a = easyAttribute{}
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		ok := true
		switch fc.FieldNum {
		case 1:
			a.key, ok = fc.String()
		case 2:
			var inner []byte
			if inner, ok = fc.MessageData(); ok {
				err = a.unmarshalValue(inner)
			}
		}
		if !ok || err != nil {
			return errEasy
		}
	}
	return nil
}

// unmarshalValue decodes a value that is a string.
func (a *easyAttribute) unmarshalValue(data []byte) (err error) {
	var fc easyproto.FieldContext
	for len(data) > 0 {
		if data, err = fc.NextField(data); err != nil {
			return err
		}
		if fc.FieldNum == 1 {
			a.text, _ = fc.String()
		}
	}
	return nil
}
