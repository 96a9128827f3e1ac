// Package arenapb declares the part of arenapb that the tests use.
package arenapb

import "google.golang.org/protobuf/reflect/protoreflect"

func Promote[M protoreflect.ProtoMessage](m M) M { return m }
