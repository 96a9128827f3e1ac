package mode

import (
	"context"
	"fmt"
	"slices"
)

var protobufKind = Kind{
	Name: "arenapb", Syntax: "arenapb=off", Variables: []string{protobufVariable},
	Doc:   "decode on the heap in a program that uses arena/arenapb, to measure the saving of its arenas",
	Parse: parseProtobuf, ProveRun: proveProtobuf,
}

const (
	protobufVariable = "HEAPWRIGHT_ARENAPB" // read by arena/arenapb
	protobufFunction = "github.com/heapwright/heapwright/arena/arenapb.tableOf"
)

type protobufOnHeap struct{}

func (protobufOnHeap) String() string { return "arenapb=off" }
func (protobufOnHeap) Slot() string   { return protobufVariable }

func (protobufOnHeap) Apply(_ context.Context, _ *Machine, c *Config) error {
	c.RunEnv[protobufVariable] = "off"
	return nil
}

func parseProtobuf(t token) (Setting, error) {
	switch {
	case t.name != "arenapb" || !t.valued:
		return nil, nil
	case t.value != "off":
		return nil, fmt.Errorf("write arenapb=off; a program that uses arenapb has it on by itself")
	}
	return protobufOnHeap{}, nil
}

func proveProtobuf(c Config, id Identity) (string, error) {
	if c.RunEnv[protobufVariable] != "" && !slices.Contains(id.Functions, protobufFunction) {
		return "the program does not use arena/arenapb: the setting changes nothing in it", nil
	}
	return "", nil
}
