package store

import (
	"encoding/binary"
	"fmt"

	"go.etcd.io/bbolt"
)

// block is the part of a day's file that holds one service: its series, its dictionary,
// an index of entries, and the profiles. If a dictionary becomes too large, the next
// profile begins another block of the same service.
type block struct {
	service string
	gen     uint32

	ids    map[string]uint32 // encoded series → number
	series []series          // number-1 → series
	words  *dictionary
	last   map[uint32]lastFrame // series → the frame that the next one is the difference from
	bytes  int64                // about how much memory the series hold
}

type lastFrame struct {
	key   key
	frame *frame
}

// Buckets of a block.
var (
	seriesBucket = []byte("series")
	wordsBucket  = []byte("words")
	indexBucket  = []byte("index")
	dataBucket   = []byte("data")
)

// readBlock reads the series and the dictionary of a block. b is nil for a new one.
func readBlock(service string, gen uint32, b *bbolt.Bucket, maxBytes int64) (*block, error) {
	k := &block{service: service, gen: gen, words: newDictionary(maxBytes),
		ids: map[string]uint32{}, last: map[uint32]lastFrame{}}
	if b == nil {
		return k, nil
	}
	err := each(b, seriesBucket, func(_, value []byte) error {
		inner, err := unseal(value)
		if err != nil {
			return err
		}
		s, err := decodeSeries(inner)
		k.remember(s, inner)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the series of %s are %w", service, err)
	}
	var parts []byte
	err = each(b, wordsBucket, func(_, value []byte) error {
		part, err := unpack(value)
		if parts = append(parts, part...); int64(len(parts)) > k.words.limit {
			return errDamaged // a dictionary is full before its parts are so large
		}
		return err
	})
	if err == nil && len(parts) > 0 {
		err = k.words.read(parts)
	}
	if err != nil {
		return nil, fmt.Errorf("the stacks of %s are %w", service, err)
	}
	return k, nil
}

// each calls do for the values of a bucket in order.
func each(b *bbolt.Bucket, name []byte, do func(k, v []byte) error) error {
	inner := b.Bucket(name)
	if inner == nil {
		return nil
	}
	return inner.ForEach(do)
}

func (k *block) remember(s series, encoded []byte) uint32 {
	k.series = append(k.series, s)
	k.ids[string(encoded)] = uint32(len(k.series))
	k.bytes += 2*int64(len(encoded)) + 100*int64(3+len(s.labels)) // maps and strings take about so much
	return uint32(len(k.series))
}

// number returns the number of a series, which it writes if it is new.
func (k *block) number(b *bbolt.Bucket, s series, most int) (uint32, error) {
	encoded := s.encode()
	if id, ok := k.ids[string(encoded)]; ok {
		return id, nil
	}
	if len(k.series) >= most {
		return 0, fmt.Errorf("%w: %d series of %s; leave labels out that change with each profile",
			ErrMany, most, k.service)
	}
	id := k.remember(s, encoded)
	return id, put(b, seriesBucket, number(id), seal(encoded))
}

// keepWords writes the rows of the dictionary that are new.
func (k *block) keepWords(b *bbolt.Bucket) error {
	part := k.words.part()
	if part == nil {
		return nil
	}
	packed, err := pack(part)
	if err != nil {
		return err
	}
	inner, err := b.CreateBucketIfNotExists(wordsBucket)
	if err != nil {
		return err
	}
	next, err := inner.NextSequence()
	if err != nil {
		return err
	}
	k.words.keep()
	inner.FillPercent = 0.9
	return inner.Put(number(uint32(next)), packed)
}

// readFrame returns the frame of a key. known are frames that were read before.
func (k *block) readFrame(b *bbolt.Bucket, at key, known map[uint32]lastFrame) (*frame, error) {
	if l, ok := known[at.series()]; ok && l.key == at {
		return l.frame, nil
	}
	data := b.Bucket(dataBucket)
	if data == nil {
		return nil, fmt.Errorf("the profile of %s is missing", at.time())
	}
	packed := data.Get(at[:])
	if packed == nil {
		return nil, fmt.Errorf("the profile of %s is missing", at.time())
	}
	value, err := unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("the profile of %s at %s is %w", k.service, at.time(), err)
	}
	depth := 0
	return decodeFrame(value, func(base key) (*frame, error) {
		if depth++; base == at || depth > maxDepth {
			return nil, errDamaged
		}
		return k.readFrame(b, base, known)
	})
}

func put(b *bbolt.Bucket, name, k, v []byte) error {
	inner, err := b.CreateBucketIfNotExists(name)
	if err != nil {
		return err
	}
	inner.FillPercent = 0.9 // keys come in order
	return inner.Put(k, v)
}

func number(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
