//go:build upstream

// Package proto_test decodes the table of tests of google.golang.org/protobuf/proto
// with arenapb. The files of the table are laid over this folder, see TestDecodeTable
// in the folder above.
package proto_test

import (
	"bytes"
	"errors"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// eachCase calls f for each message type of each test.
func eachCase(t *testing.T, table []testProto, f func(t *testing.T, a *arena.Arena, o arenapb.UnmarshalOptions, test testProto, want proto.Message)) {
	var pool arena.Pool
	n := 0
	for _, test := range table {
		for _, want := range test.decodeTo {
			for _, text := range []arena.Text{arena.TextArena, arena.TextHeap, arena.TextAlias} {
				t.Run(test.desc, func(t *testing.T) {
					a := pool.Get()
					defer a.Free()
					f(t, a, options(test, text), test, want)
				})
			}
			n++
		}
	}
	if n < 100 {
		t.Errorf("the table has %d tests, fewer than 100", n)
	}
	t.Logf("%s: decoded %d messages", t.Name(), n)
}

func options(test testProto, text arena.Text) arenapb.UnmarshalOptions {
	o := test.unmarshalOptions
	return arenapb.UnmarshalOptions{
		Text: text, Merge: o.Merge, AllowPartial: test.partial, DiscardUnknown: o.DiscardUnknown,
		Resolver: o.Resolver, RecursionLimit: o.RecursionLimit, NoLazyDecoding: o.NoLazyDecoding,
	}
}

func TestArenapbValidMessages(t *testing.T) {
	eachCase(t, testValidMessages, func(t *testing.T, a *arena.Arena, o arenapb.UnmarshalOptions, test testProto, want proto.Message) {
		wire := bytes.Clone(test.wire)
		got := want.ProtoReflect().New().Interface()
		if err := o.Unmarshal(a, wire, got); err != nil {
			t.Fatalf("%T: %v", want, err)
		}
		if !bytes.Equal(test.wire, wire) {
			t.Errorf("%T: the input was changed", want)
		}
		if o.Text != arena.TextAlias {
			clear(wire) // the message must not refer to it
		}
		if !proto.Equal(got, want) && want.ProtoReflect().IsValid() {
			t.Errorf("%T: got\n%v\nwant\n%v", want, got, want)
		}
		byProto := want.ProtoReflect().New().Interface()
		p := test.unmarshalOptions
		p.AllowPartial = test.partial
		if err := p.Unmarshal(test.wire, byProto); err != nil {
			t.Fatal(err)
		}
		deterministic := proto.MarshalOptions{Deterministic: true, AllowPartial: true}
		x, err := deterministic.Marshal(got)
		y, wantErr := deterministic.Marshal(byProto)
		if err != nil || wantErr != nil || !bytes.Equal(x, y) {
			t.Errorf("%T: marshals to %x, %v; want %x, %v", want, x, err, y, wantErr)
		}
	})
}

// Required fields are missing in the messages that are partial.
func TestArenapbRequiredFields(t *testing.T) {
	eachCase(t, testValidMessages, func(t *testing.T, a *arena.Arena, o arenapb.UnmarshalOptions, test testProto, want proto.Message) {
		o.AllowPartial = false
		if err := o.Unmarshal(a, test.wire, want.ProtoReflect().New().Interface()); (err != nil) != test.partial {
			t.Errorf("%T: got the error %v; is partial: %v", want, err, test.partial)
		}
	})
}

func TestArenapbInvalidMessages(t *testing.T) {
	eachCase(t, testInvalidMessages, func(t *testing.T, a *arena.Arena, o arenapb.UnmarshalOptions, test testProto, want proto.Message) {
		if err := o.Unmarshal(a, test.wire, want.ProtoReflect().New().Interface()); !errors.Is(err, proto.Error) {
			t.Errorf("%T: %x: got the error %v, want one of package proto", want, test.wire, err)
		}
	})
}
