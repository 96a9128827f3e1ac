package arena

import (
	"encoding/binary"
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
	hashString
)

// The hash keys of this process. If an attacker chooses the keys of a map, it is as
// safe as a Go map on a processor without AES instructions: collisions depend on
// secret numbers, but the function is not cryptographic (compare runtime/hash64.go).
var (
	hashSeed = maphash.MakeSeed()
	hashKeys = [4]uint64{hashKey(0), hashKey(1), hashKey(2), hashKey(3)}
)

// hashKey returns an odd number, so that multiplying by it loses nothing.
func hashKey(i int) uint64 { return maphash.Comparable(hashSeed, i) | 1 }

// hash returns a 32-bit hash of k.
func hash[K comparable](k K, as *hashing) uint32 {
	switch *as {
	case hashInteger:
		return hashOfInteger(integer(&k))
	case hashString:
		return hashOfString(*(*string)(unsafe.Pointer(&k)))
	case hashUnknown:
		*as = hashingOf(reflect.TypeFor[K]().Kind())
		return hash(k, as)
	}
	return uint32(maphash.Comparable(hashSeed, k) >> 32)
}

func hashingOf(keys reflect.Kind) hashing {
	switch keys {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return hashInteger
	case reflect.String:
		return hashString
	}
	return hashAny
}

// hashOfInteger multiplies to 128 bits and folds them, in a quarter of the time of
// maphash.
func hashOfInteger(n uint64) uint32 {
	high, low := bits.Mul64(n^hashKeys[0], hashKeys[1])
	return uint32(high ^ low)
}

// hashOfString returns a 32-bit hash of s. It hashes up to 64 bytes inline, because
// calls take most of the time of maphash. As in XXH3, the products of 16 bytes each
// are independent of each other. maphash, which uses AES instructions, is faster for
// longer strings.
func hashOfString(s string) uint32 {
	p, n, k := unsafe.StringData(s), len(s), &hashKeys
	var a, b, sum uint64
	switch {
	case n > 64:
		return uint32(maphash.String(hashSeed, s) >> 32)
	case n > 32:
		sum = mix(load(p, 0)^k[0], load(p, 8)^k[1]) ^ mix(load(p, 16)^k[1], load(p, 24)^k[2]) ^ mix(load(p, n-32)^k[2], load(p, n-24)^k[3])
		a, b = load(p, n-16), load(p, n-8)
	case n > 16:
		sum = mix(load(p, 0)^k[0], load(p, 8)^k[1])
		a, b = load(p, n-16), load(p, n-8)
	case n >= 8:
		a, b = load(p, 0), load(p, n-8)
	case n >= 4:
		a, b = load4(p, 0), load4(p, n-4)
	case n > 0:
		a = uint64(s[0]) | uint64(s[n>>1])<<8 | uint64(s[n-1])<<16
	}
	return uint32(mix(sum^mix(a^k[3], b^k[0]), k[1]^uint64(n)))
}

// mix multiplies to 128 bits and folds them.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// load returns 8 bytes of a string at an offset.
func load(p *byte, at int) uint64 {
	return binary.LittleEndian.Uint64(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), at)), 8))
}

func load4(p *byte, at int) uint64 {
	return uint64(binary.LittleEndian.Uint32(unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(p), at)), 4)))
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
