// Package seed sums texts.
package seed

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
)

func name(parts [][]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil)) // want `Sum\(nil\) puts the sum on the heap, where it is only read: append it to an array on the stack`
}

func shard(parts [][]byte, sum int) (n uint64, key string) {
	h := md5.New()
	for _, p := range parts {
		h.Reset()
		h.Write(p)
		// The first bytes are enough.
		n += binary.BigEndian.Uint64(h.Sum(nil)[:8]) // want `only read`
	}
	if string(h.Sum(nil)) == "" { // want `only read`
		return 0, ""
	}
	return n + uint64(sum), key
}

func appended(all []byte, parts [][]byte) []byte {
	h := sha256.New224()
	for _, p := range parts {
		h.Write(p)
	}
	return append(all, h.Sum(nil)...) // want `only read`
}

// The sum outlives the function.
func kept(parts [][]byte) []byte {
	h := sha256.New() // want `sha256.New`
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

func first(parts [][]byte) []byte {
	h := sha256.New() // want `sha256.New`
	for _, p := range parts {
		h.Write(p)
	}
	return append(h.Sum(nil), 1)
}

// The compiler does not know the type.
func given(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

func chosen(short bool, parts [][]byte) string {
	h := sha256.New() // want `sha256.New`
	if short {
		h = md5.New()
	}
	for _, p := range parts {
		h.Write(p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func keyed(key, text []byte) bool {
	h := hmac.New(sha256.New, key)
	h.Write(text)
	return hmac.Equal(h.Sum(nil), key)
}

// Others use the hash, too, and a pool serves better.
func copied(r io.Reader) (string, error) {
	h := sha256.New() // want `sha256.New`
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// An array before the loop's condition would be shared, and the name is another's.
func conditions(parts [][]byte) (n int) {
	h := md5.New()
	for ; h.Sum(nil)[0] != 0; n++ { // want `only read`
		h.Write(parts[n])
	}
	return n
}

func shadowed(parts [][]byte) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
	}
	sha256 := len(parts)
	return hex.EncodeToString(h.Sum(nil))[:sha256] // want `only read`
}
