package forward

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/store"
)

// names are Pyroscope's names of the kinds of profiles.
var names = map[string]string{
	store.CPU: "process_cpu", store.Heap: "memory", store.HeapDelta: "memory", store.Allocs: "memory",
	store.Goroutine: "goroutine",
}

// periods are the events that the samples of a kind stand for. A Pyroscope names the types of
// profiles after them, and nobody looks for one whose profile names none.
var periods = map[string]profile.ValueType{
	store.CPU: {Type: "cpu", Unit: "nanoseconds"}, store.Heap: {Type: "space", Unit: "bytes"},
	store.HeapDelta: {Type: "space", Unit: "bytes"}, store.Allocs: {Type: "space", Unit: "bytes"},
	store.Goroutine: {Type: "goroutine", Unit: "count"},
	"mutex":         {Type: "contentions", Unit: "count"}, "block": {Type: "contentions", Unit: "count"},
}

// message is a message of push.v1 (push/v1/push.proto of github.com/grafana/pyroscope/api)
// with one profile. Messages that stand one after the other are one message.
func message(e *store.Entry, p *profile.Profile) ([]byte, error) {
	named := *p
	if p.PeriodType == (profile.ValueType{}) {
		named.PeriodType = periods[e.Kind]
	}
	var file bytes.Buffer
	if err := named.Encode(&file); err != nil {
		return nil, err
	}
	var series []byte
	labels := labels(e)
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		series = field(series, 1, field(field(nil, 1, []byte(name)), 2, []byte(labels[name])))
	}
	return field(nil, 1, field(series, 2, field(field(nil, 1, file.Bytes()), 2, []byte(id())))), nil
}

// field appends a field of bytes to a message.
func field(b []byte, n protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, n, protowire.BytesType), value)
}

// id is a random UUID.
func id() string {
	var b [16]byte
	rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// unusual are the characters that a Pyroscope takes in no name of a label.
var unusual = regexp.MustCompile(`[^a-zA-Z0-9_]`)

// labels returns the labels of an entry as a Pyroscope knows them. Names with two underscores
// in front are reserved there.
func labels(e *store.Entry) map[string]string {
	all := map[string]string{}
	for name, value := range e.Labels {
		if strings.HasPrefix(name, "__") || value == "" {
			continue
		}
		name = unusual.ReplaceAllString(name, "_")
		if '0' <= name[0] && name[0] <= '9' {
			name = "_" + name
		}
		all[name] = value
	}
	all["service_name"] = e.Service
	all["__name__"] = e.Kind
	if name := names[e.Kind]; name != "" {
		all["__name__"] = name
	}
	if all["__name__"] == "memory" {
		all["__delta__"] = "false" // allocations count from the profile before
	}
	return all
}

// identity names the process of an entry.
func identity(e *store.Entry) string {
	text := e.Service
	for _, name := range slices.Sorted(maps.Keys(e.Labels)) {
		text += "\x00" + name + "\x00" + e.Labels[name]
	}
	return text
}
