package main

import "github.com/heapwright/heapwright/bench/foreign/truth"

var goToml = &Port{
	Name: "go-toml", Path: "github.com/pelletier/go-toml/v2", Version: "v2.4.3",
	Lifetimes: "A constructor begins the arena, a deferred close ends it. The state of the encoder lies in its own arena. Mark and ResetTo for a line, ReflectNew for keys, Clone for the document.",
	Edits: []truth.Edit{
		{At: "marshaler.go:1567", Lines: ``},
		{At: "marshaler.go:1244", Lines: `		*entries = arena.Append(e.scratch, *entries, entry{key: f.name, value: fv, options: f.options})`},
		{At: "marshaler.go:1023", Lines: `		entries = arena.Append(e.scratch, entries, entry{key: key, value: value})`},
		{At: "marshaler.go:1004", Lines: `		kbuf = arena.ReflectNew(e.scratch, v.Type().Key()).Elem()`},
		{At: "marshaler.go:1000", Lines: `			e.stringKeyBuf = arena.ReflectNew(e.scratch, stringType).Elem()`},
		{At: "marshaler.go:993", Lines: `	entries := arena.MakeSlice[entry](e.scratch, 0, v.Len())`},
		{At: "marshaler.go:984", Lines: `		entries := arena.MakeSlice[entry](e.scratch, 0, v.NumField())`},
		{At: "marshaler.go:939-943", Lines: `			before := e.scratch.Mark()
			line := arena.Bytes(e.scratch, e.buf[lineStart:])
			e.buf = e.buf[:lineStart]
			for i, part := range bytes.Split(line, []byte("\n")) {
				if i > 0 {
					e.buf = append(e.buf, "\n# "...)
				}
				e.buf = append(e.buf, part...)
			}
			e.scratch.ResetTo(before)`},
		{At: "marshaler.go:781-797", Lines: ``},
		{At: "marshaler.go:734", Lines: ``},
		{At: "marshaler.go:257-258", Lines: `	// scratch has the memory of the encode, e among it.
	scratch *arena.Arena`},
		{At: "marshaler.go:247+", Lines: `func (e *encoderState) close() { e.scratch.Free() }
`},
		{At: "marshaler.go:244-245", Lines: `var scratch arena.Pool

// newEncoderState returns a state with room for size bytes of output. Its memory
// ends with close.
func newEncoderState(enc *Encoder, size int) *encoderState {
	a := scratch.Get()
	e := arena.New[encoderState](a)
	e.Encoder, e.marshalerOn, e.scratch = enc, enc.marshalerInterface, a
	e.buf = arena.MakeSlice[byte](a, 0, size)
	return e`},
		{At: "marshaler.go:236-238", Lines: `	if _, err = enc.w.Write(e.buf); err != nil {`},
		{At: "marshaler.go:232", Lines: ``},
		{At: "marshaler.go:223-229", Lines: `	e := newEncoderState(enc, 512)
	defer e.close()`},
		{At: "marshaler.go:41-45", Lines: `	return arena.Clone(e.buf), nil`},
		{At: "marshaler.go:29-38", Lines: `	e := newEncoderState(&enc, 512)
	defer e.close()
	if err := e.encodeRoot(v); err != nil {`},
		{At: "marshaler.go:18+", Lines: `	"github.com/heapwright/heapwright/arena"`},
	},
	Packages: []string{".", "./internal/..."},
	Race:     true,
	Plants:   goTomlPlants,
}
