package arenapb

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// A decodeError describes malformed input and where it is.
type decodeError struct {
	message protoreflect.FullName
	offset  int
	cause   error
}

func (e *decodeError) Error() string {
	return fmt.Sprintf("arenapb: cannot decode %s at byte %d: %v", e.message, e.offset, e.cause)
}

// Unwrap makes the errors of this package also errors of package proto.
func (e *decodeError) Unwrap() []error { return []error{e.cause, proto.Error} }

var (
	errTruncated = errors.New("a field exceeds the message")
	errVarint    = errors.New("an invalid varint")
	errTag       = errors.New("an invalid tag")
	errWire      = errors.New("an unknown wire type")
	errGroup     = errors.New("unterminated group")
	errGroupEnd  = errors.New("the end of a group that did not begin")
	errUTF8      = errors.New("a string that is not UTF-8")
	errDepth     = errors.New("messages nested too deeply")
)

// recordErrors are the errors of protowire.ConsumeFieldValue by its negative results
// (encoding/protowire/wire.go).
var recordErrors = [...]error{1: errTruncated, 2: errTag, 3: errVarint, 4: errWire, 5: errGroupEnd, 6: errDepth}

// recordError returns the error for a negative result of protowire.ConsumeFieldValue.
func recordError(n int) error {
	if -n < len(recordErrors) {
		return recordErrors[-n]
	}
	return protowire.ParseError(n)
}

// A callError refuses a call for any input. It is a proto.Error to errors.Is.
type callError string

const (
	errNil     callError = "arenapb: Unmarshal into a nil message"
	errNilJSON callError = "arenapb: UnmarshalJSON into a nil message"
)

func (e callError) Error() string { return string(e) }

func (callError) Is(target error) bool { return target == proto.Error }
