package arenapbtest

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenapb"
)

// A small message of a type without text may still have unknown fields with text. They
// live as long as their message, whatever is decoded into the arena after it.
func TestUnknownFieldsOfSmallMessages(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	for _, size := range []int{0, 1, 30, 60, 100} { // some inputs are small, others not
		for text := arena.TextHeap; text <= arena.TextAlias; text++ {
			var inputs [][]byte
			var messages []*wrapperspb.Int64Value
			for _, letter := range "abc" {
				data, err := proto.Marshal(wrapperspb.Int64(int64(letter)))
				if err != nil {
					t.Fatal(err)
				}
				data = protowire.AppendTag(data, 100, protowire.BytesType)
				data = protowire.AppendString(data, strings.Repeat(string(letter), size))
				m := new(wrapperspb.Int64Value)
				if err := (arenapb.UnmarshalOptions{Text: text}).Unmarshal(a, data, m); err != nil {
					t.Fatal(err)
				}
				inputs, messages = append(inputs, data), append(messages, m)
			}
			for i, m := range messages {
				want := new(wrapperspb.Int64Value)
				if err := proto.Unmarshal(inputs[i], want); err != nil {
					t.Fatal(err)
				}
				if !proto.Equal(m, want) {
					t.Errorf("text %d, %d bytes: message %d is %v, want %v", text, size, i, m, want)
				}
			}
		}
	}
}
