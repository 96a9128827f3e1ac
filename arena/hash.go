package arena

import (
	"hash/maphash"
	"math/bits"
	"reflect"
	"unsafe"
)

// hashing says how a map hashes its keys.
type hashing uint8

const (
	hashUnknown hashing = iota // the map has not hashed yet
	hashAny
	hashInteger
)

// Keys of the hashes, of this process. A map in which an attacker chooses the
// keys is as safe as Go's maps where the processor has no AES instructions: what
// collides depends on numbers that are not known outside, but the function is no
// cryptographic one (compare runtime/hash64.go).
var (
	hashSeed = maphash.MakeSeed()
	hashKeys = [2]uint64{maphash.Comparable(hashSeed, 0), maphash.Comparable(hashSeed, 1) | 1}
)

// hash returns 32 bits by which to find k. For integers it is a multiplication
// with 128 bits for the result, folded: a quarter of the time of maphash.
func hash[K comparable](k K, as *hashing) uint32 {
	switch *as {
	case hashInteger:
		high, low := bits.Mul64(integer(&k)^hashKeys[0], hashKeys[1])
		return uint32(high ^ low)
	case hashUnknown:
		*as = hashAny
		switch reflect.TypeFor[K]().Kind() {
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
			reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
			*as = hashInteger
			return hash(k, as)
		}
	}
	return uint32(maphash.Comparable(hashSeed, k) >> 32)
}

// integer returns the bits of an integer of any size.
func integer[K comparable](k *K) uint64 {
	p := unsafe.Pointer(k)
	switch unsafe.Sizeof(*k) {
	case 1:
		return uint64(*(*uint8)(p))
	case 2:
		return uint64(*(*uint16)(p))
	case 4:
		return uint64(*(*uint32)(p))
	}
	return *(*uint64)(p)
}
