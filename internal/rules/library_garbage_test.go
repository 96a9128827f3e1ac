package rules

import (
	"math/big"
	"testing"
)

const splits = `package main

import "strings"

func words(s string) int { return len(strings.Split(s, ",")) }

func main() {}
`

func TestLibraryGarbage(t *testing.T) {
	s := newScene(t, splits)
	s.churn("strings.genSplit@/go/src/s.go:1 strings.Split", s.frame("words", "strings.Split"))
	has(t, s.wants("library-garbage", "strings.Split").Example, "SplitSeq")
}

const sums32 = `package main

import "hash/crc32"

func tag(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(0xD5828281)) }

func main() {}
`

// A table is no hash.
func TestTableOfHash(t *testing.T) {
	s := newScene(t, sums32)
	s.churn("hash/crc32.simpleMakeTable@/go/src/hash/crc32/crc32.go:1 hash/crc32.MakeTable", s.frame("tag", "crc32.MakeTable"))
	has(t, s.wants("library-garbage", "crc32.MakeTable").Remedy, "Make the table once")
}

const numbers = `package main

import "math/big"

func product(all []*big.Int, m *big.Int) *big.Int {
	p := big.NewInt(1)
	for _, x := range all {
		p = new(big.Int).Mul(p, x)
		p.Mod(p, m)
	}
	return p
}

func main() {}
`

func TestBigNumbers(t *testing.T) {
	for callee, want := range map[string]string{
		"math/big.(*Int).Mul": "neither of its operands", "math/big.(*Int).Mod": "DivMod", "math/big.(*Int).ModInverse": "keep its result",
		"math/big.NewInt": "constant once", "math/big.(*Float).Add": "reused",
	} {
		t.Run(callee, func(t *testing.T) {
			s := newScene(t, numbers)
			s.churn("math/big.nat.make@/go/src/math/big/nat.go:1 "+callee, s.frame("product", "new(big.Int).Mul"))
			has(t, s.wants("library-garbage", "new(big.Int).Mul").Remedy, want)
		})
	}
}

// The advice is true of this Go.
func TestAdviceOnBigNumbers(t *testing.T) {
	x, y := new(big.Int).Lsh(big.NewInt(3), 500), new(big.Int).Lsh(big.NewInt(5), 300)
	var z, q, m big.Int
	sum := new(big.Int).Set(x)
	for _, test := range []struct {
		name   string
		spares bool
		run    func()
	}{
		{"Mul into another", true, func() { z.Mul(x, y) }},
		{"Mul into an operand", false, func() { sum.Set(x); sum.Mul(sum, y) }},
		{"DivMod", true, func() { q.DivMod(x, y, &m) }},
		{"Mod", false, func() { m.Mod(x, y) }},
		{"Quo", false, func() { q.Quo(x, y) }},
	} {
		if n := testing.AllocsPerRun(10, test.run); test.spares != (n == 0) {
			t.Errorf("%s: %v allocations", test.name, n)
		}
	}
}

func TestLibraryGarbageOfHeaders(t *testing.T) {
	s := newScene(t, splits).without()
	s.churn("net/textproto.MIMEHeader.Set@/go/src/t.go:1 net/http.Header.Set", s.frame("words", "strings.Split"))
	has(t, s.wants("library-garbage", "strings.Split").Remedy, "assign a slice that is made once")
}

const pictures = `package main

import (
	"image"
	_ "image/png"
	"io"
)

func width(r io.Reader) int {
	m, _, err := image.Decode(r)
	if err != nil {
		return 0
	}
	return m.Bounds().Dx()
}

func main() {}
`

// The size of a picture is not the size of its file.
func TestDecodedPicture(t *testing.T) {
	s := newScene(t, pictures)
	s.churn("image.NewNRGBA@/go/src/image/image.go:1 image/png.Decode@/go/src/image/png/reader.go:1 image.Decode", s.frame("width", "image.Decode"))
	has(t, s.wants("library-garbage", "image.Decode").Remedy, "image.DecodeConfig for the size first")
}
