package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

// Limits of a payload, in bytes. The first 8 are the record's id; gRPC refuses
// messages above 4 MiB, of which the envelope takes a few bytes.
const (
	minPayload = 16
	maxPayload = 4<<20 - 64
)

// record is a decoded request: the object graph that is cloned.
type record struct {
	id      uint64
	payload []byte
	origin  *origin
	labels  []label
}

// origin says where a record came from and on which attempt.
type origin struct {
	region  string
	shard   uint32
	attempt uint32
}

// label is a name with its value.
type label struct{ name, value string }

// decode makes a record of a request's payload, which it keeps.
func decode(payload []byte) (*record, error) {
	if len(payload) < minPayload {
		return nil, fmt.Errorf("payload of %d bytes: send at least %d", len(payload), minPayload)
	}
	id := binary.LittleEndian.Uint64(payload)
	return &record{
		id:      id,
		payload: payload,
		origin:  &origin{region: "loopback", shard: uint32(id % 64)},
		labels:  []label{{"tenant", "heapwright"}, {"class", "replica"}, {"codec", "raw"}},
	}, nil
}

// assign makes a clone the i-th replica.
func (r *record) assign(i int) {
	r.id += uint64(i)
	r.origin.shard = uint32(r.id % 64)
	r.origin.attempt++
	r.labels[0].value = r.origin.region
	binary.LittleEndian.PutUint64(r.payload, r.id)
}

// checksum folds the record into sum.
func (r *record) checksum(sum uint32) uint32 {
	sum = crc32.Update(sum, crc32.IEEETable, r.payload)
	return sum + r.origin.shard + r.origin.attempt + uint32(len(r.labels[0].value))
}

// payload returns size bytes, always the same and with no obvious pattern.
func payload(size int) []byte {
	b := make([]byte, size)
	x := uint32(1)
	for i := range b {
		x = x*1664525 + 1013904223 // Numerical Recipes, "quick and dirty" generator
		b[i] = byte(x >> 24)
	}
	return b
}
