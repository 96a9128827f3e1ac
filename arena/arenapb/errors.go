package arenapb

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A decodeError says where the input is malformed.
type decodeError struct {
	message protoreflect.FullName
	offset  int
	cause   error
}

func (e *decodeError) Error() string {
	return fmt.Sprintf("arenapb: cannot decode %s: %v at byte %d", e.message, e.cause, e.offset)
}

// Unwrap makes the errors of this package those of package proto.
func (e *decodeError) Unwrap() []error { return []error{e.cause, proto.Error} }

var (
	errTruncated = errors.New("a field exceeds the message")
	errVarint    = errors.New("an invalid varint")
	errTag       = errors.New("an invalid tag")
	errGroup     = errors.New("a group that does not end")
	errUTF8      = errors.New("a string that is not UTF-8")
	errDepth     = errors.New("messages nested too deeply")
)

// A callError refuses a call, whatever the input is. It is one of package proto.
type callError string

const (
	errNil     callError = "arenapb: Unmarshal into a nil message"
	errNilJSON callError = "arenapb: UnmarshalJSON into a nil message"
)

func (e callError) Error() string { return string(e) }

func (callError) Is(target error) bool { return target == proto.Error }
