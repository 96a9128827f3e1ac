// Package b uses the helpers of package a, and declares more.
package b

import (
	"bytes"

	"a"
)

type writer struct{ buf *bytes.Buffer }

func release(b *bytes.Buffer)    { a.Put(b) }             // want release:`^puts 0$`
func acquire() *bytes.Buffer     { return a.Get() }       // want acquire:`^gets$`
func (w *writer) close()         { a.Put(w.buf) }         // want close:`^puts receiver.buf$`
func (w *writer) bytes() []byte  { return w.buf.Bytes() } // want bytes:`^shares buf$`
func trimmed(b []byte) []byte    { return a.Trim(b) }     // want trimmed:`^shares$`
func kept(b *bytes.Buffer) error { return nil }

var local = a.Of[*writer]{}

func pools() {
	w := local.Get()
	fill(w)
	local.Put(w)
}

func fill(w *writer) { w.buf.WriteString("x") }
