package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/prototext"
	pb "google.golang.org/protobuf/internal/testprotos/conformance"
	"google.golang.org/protobuf/internal/testprotos/conformance/editions"
	migrated "google.golang.org/protobuf/internal/testprotos/conformance/editionsmigration"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// testMessages are the messages of the suite.
var testMessages = []proto.Message{
	(*pb.TestAllTypesProto2)(nil),
	(*pb.TestAllTypesProto3)(nil),
	(*editions.TestAllTypesEdition2023)(nil),
	(*migrated.TestAllTypesProto2)(nil),
	(*migrated.TestAllTypesProto3)(nil),
}

// A decoder is one side of the comparison.
type decoder struct {
	name          string
	unmarshal     func(a *arena.Arena, data []byte, m proto.Message) error
	unmarshalJSON func(a *arena.Arena, discardUnknown bool, data []byte, m proto.Message) error
}

var decoders = []decoder{
	{
		name:      "proto.Unmarshal",
		unmarshal: func(_ *arena.Arena, data []byte, m proto.Message) error { return proto.Unmarshal(data, m) },
		unmarshalJSON: func(_ *arena.Arena, discardUnknown bool, data []byte, m proto.Message) error {
			return protojson.UnmarshalOptions{DiscardUnknown: discardUnknown}.Unmarshal(data, m)
		},
	},
	intoArena("arenapb", arena.TextHeap),
	intoArena("arenapb, text in the arena", arena.TextArena),
	intoArena("arenapb, text aliased", arena.TextAlias),
}

func intoArena(name string, text arena.Text) decoder {
	return decoder{
		name:      name,
		unmarshal: arenapb.UnmarshalOptions{Text: text}.Unmarshal,
		unmarshalJSON: func(a *arena.Arena, discardUnknown bool, data []byte, m proto.Message) error {
			return arenapb.UnmarshalJSONOptions{Text: text, DiscardUnknown: discardUnknown}.Unmarshal(a, data, m)
		},
	}
}

// testee answers the runner's requests until there are no more
// (conformance/conformance_test_runner.cc of protobuf describes the protocol).
func (d decoder) testee(in io.Reader, out io.Writer) error {
	var pool arena.Pool
	for {
		var size [4]byte
		if _, err := io.ReadFull(in, size[:]); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read the size of a request: %w", err)
		}
		data := make([]byte, binary.LittleEndian.Uint32(size[:]))
		if _, err := io.ReadFull(in, data); err != nil {
			return fmt.Errorf("read a request: %w", err)
		}
		a := pool.Get()
		request := new(pb.ConformanceRequest)
		if err := d.unmarshal(a, data, request); err != nil {
			return fmt.Errorf("decode a request: %w", err)
		}
		response, err := proto.Marshal(d.answer(a, request))
		if err != nil {
			return fmt.Errorf("encode a response: %w", err)
		}
		a.Free()
		if _, err := out.Write(append(binary.LittleEndian.AppendUint32(nil, uint32(len(response))), response...)); err != nil {
			return fmt.Errorf("write a response: %w", err)
		}
	}
}

// answer decodes the payload of a request and encodes it in the format asked for.
func (d decoder) answer(a *arena.Arena, request *pb.ConformanceRequest) *pb.ConformanceResponse {
	response := new(pb.ConformanceResponse)
	m := messageOf(request.MessageType)
	if m == nil {
		response.Result = &pb.ConformanceResponse_Skipped{Skipped: "there is no " + request.MessageType}
		return response
	}
	var err error
	switch p := request.Payload.(type) {
	case *pb.ConformanceRequest_ProtobufPayload:
		err = d.unmarshal(a, p.ProtobufPayload, m)
	case *pb.ConformanceRequest_JsonPayload:
		discard := request.TestCategory == pb.TestCategory_JSON_IGNORE_UNKNOWN_PARSING_TEST
		err = d.unmarshalJSON(a, discard, []byte(p.JsonPayload), m)
	case *pb.ConformanceRequest_TextPayload:
		err = prototext.Unmarshal([]byte(p.TextPayload), m)
	default:
		response.Result = &pb.ConformanceResponse_Skipped{Skipped: "there is no such input"}
		return response
	}
	if err != nil {
		response.Result = &pb.ConformanceResponse_ParseError{ParseError: err.Error()}
		return response
	}
	var data []byte
	switch request.RequestedOutputFormat {
	case pb.WireFormat_PROTOBUF:
		data, err = proto.Marshal(m)
		response.Result = &pb.ConformanceResponse_ProtobufPayload{ProtobufPayload: data}
	case pb.WireFormat_JSON:
		data, err = protojson.Marshal(m)
		response.Result = &pb.ConformanceResponse_JsonPayload{JsonPayload: string(data)}
	case pb.WireFormat_TEXT_FORMAT:
		data, err = prototext.MarshalOptions{EmitUnknown: request.PrintUnknownFields}.Marshal(m)
		response.Result = &pb.ConformanceResponse_TextPayload{TextPayload: string(data)}
	default:
		response.Result = &pb.ConformanceResponse_Skipped{Skipped: "there is no such output"}
	}
	if err != nil {
		response.Result = &pb.ConformanceResponse_SerializeError{SerializeError: err.Error()}
	}
	return response
}

// messageOf returns a new message of the suite by its name, nil if there is none.
func messageOf(name string) proto.Message {
	for _, m := range testMessages {
		if r := m.ProtoReflect(); string(r.Descriptor().FullName()) == name {
			return r.New().Interface()
		}
	}
	return nil
}
