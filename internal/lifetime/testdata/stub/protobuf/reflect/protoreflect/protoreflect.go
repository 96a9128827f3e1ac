// Package protoreflect declares the part of protobuf that the tests use.
package protoreflect

type Message interface{ Interface() ProtoMessage }

type ProtoMessage interface{ ProtoReflect() Message }
