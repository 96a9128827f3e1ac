package flow

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/heapwright/heapwright/internal/profile"
)

// keeps is how much of its arguments a function without a body can keep.
type keeps int

const (
	anything     keeps = iota
	keepsNothing       // reads its arguments; its results are new
	inResult           // results can hold arguments or parts of them
	inReceiver         // so can the memory that its first argument refers to
	fillsLast          // decodes: fills the memory that its last argument refers to with new memory, and keeps nothing
)

// contracts are functions of the standard library and of protobuf, by the beginning
// of their names. The longest that fits counts. Any other function keeps all its arguments.
var contracts = map[string]keeps{
	"bufio.": inReceiver, "bufio.New": inResult, "bufio.(*Reader).Read": keepsNothing,
	"bufio.(*Reader).Discard": keepsNothing, "bufio.(*Reader).ReadSlice": inResult,
	"bufio.(*Reader).ReadLine": inResult, "bufio.(*Reader).Peek": inResult, "bufio.(*Scanner).Text": keepsNothing,
	"bufio.(*Scanner).Bytes": inResult, "bufio.(*Scanner).Scan": keepsNothing,
	"bufio.(*Writer).Write": keepsNothing, "bufio.(*Writer).Flush": keepsNothing, "bytes.": inResult,
	"bytes.(*Buffer).Write": keepsNothing, "bytes.(*Buffer).Read": keepsNothing,
	"bytes.(*Buffer).String": keepsNothing, "bytes.(*Buffer).Bytes": inResult, "bytes.(*Reader).Reset": inReceiver,
	"bytes.(*Reader).Read": keepsNothing, "cmp.": inResult, "compress/": inReceiver, "compress/gzip.New": inResult,
	"compress/zlib.New": inResult, "compress/flate.New": inResult, "compress/gzip.(*Writer).": keepsNothing,
	"compress/gzip.(*Writer).Reset": inReceiver, "compress/gzip.(*Reader).": keepsNothing,
	"compress/gzip.(*Reader).Reset": inReceiver, "compress/flate.(*Writer).": keepsNothing,
	"compress/flate.(*Writer).Reset": inReceiver, "compress/zlib.(*Writer).": keepsNothing,
	"compress/zlib.(*Writer).Reset": inReceiver, "container/": inReceiver, "container/list.New": inResult,
	"context.With": inResult, "crypto/md5.Sum": keepsNothing, "crypto/sha1.Sum": keepsNothing,
	"crypto/sha256.Sum": keepsNothing, "crypto/sha512.Sum": keepsNothing, "encoding/base64.": inResult,
	"encoding/binary.": inResult, "encoding/hex.": inResult, "encoding/csv.": inReceiver,
	"encoding/csv.New": inResult, "encoding/csv.(*Reader).Read": keepsNothing, "encoding/json.": inReceiver,
	"encoding/json.New": inResult, "encoding/json.Unmarshal": fillsLast,
	"encoding/json.(*Decoder).Decode": fillsLast, "encoding/json.Marshal": keepsNothing,
	"encoding/json.Valid": keepsNothing, "encoding/json.(*Encoder).Encode": keepsNothing,
	"google.golang.org/protobuf/proto.Unmarshal":                                 fillsLast,
	"google.golang.org/protobuf/proto.(UnmarshalOptions).Unmarshal":              fillsLast,
	"google.golang.org/protobuf/encoding/protojson.Unmarshal":                    fillsLast,
	"google.golang.org/protobuf/encoding/protojson.(UnmarshalOptions).Unmarshal": fillsLast,
	"google.golang.org/protobuf/proto.Marshal":                                   keepsNothing,
	"google.golang.org/protobuf/proto.(MarshalOptions).Marshal":                  inResult,
	"google.golang.org/protobuf/proto.Size":                                      keepsNothing, "google.golang.org/protobuf/proto.Equal": keepsNothing,
	"google.golang.org/protobuf/proto.Clone": inResult, "sync/atomic.Load": keepsNothing,
	"sync/atomic.LoadPointer": inResult, "sync/atomic.Add": keepsNothing, "sync/atomic.StoreInt": keepsNothing,
	"sync/atomic.StoreUint": keepsNothing, "sync/atomic.SwapInt": keepsNothing,
	"sync/atomic.SwapUint": keepsNothing, "sync/atomic.CompareAndSwapInt": keepsNothing,
	"sync/atomic.CompareAndSwapUint": keepsNothing, "sync/atomic.(*Int": keepsNothing,
	"sync/atomic.(*Uint": keepsNothing, "sync/atomic.(*Bool": keepsNothing, "sync/atomic.(*Pointer).Load": inResult,
	"sync/atomic.(*Value).Load": inResult, "errors.": inResult, "fmt.": keepsNothing, "fmt.Append": inResult,
	"fmt.Errorf": inResult, "hash/": inReceiver, "html.": inResult, "io.Copy": keepsNothing,
	"io.LimitReader": inResult, "io.MultiReader": inResult, "io.MultiWriter": inResult,
	"io.NewSectionReader": inResult, "io.NopCloser": inResult, "io.ReadAll": keepsNothing,
	"io.ReadAtLeast": keepsNothing, "io.ReadFull": keepsNothing, "io/ioutil.NopCloser": inResult,
	"io/ioutil.Read": keepsNothing, "io/ioutil.WriteFile": keepsNothing, "io.TeeReader": inResult,
	"io.WriteString": keepsNothing, "iter.": inResult, "log.Print": keepsNothing,
	"log.(*Logger).Print": keepsNothing, "maps.": inReceiver, "math.": keepsNothing, "math/": inReceiver,
	"math/rand.": keepsNothing, "net.IP": inResult, "net.ParseIP": keepsNothing, "net/http.(Header).": inReceiver,
	"net/netip.": inResult, "net/url.": inResult, "net/url.(": inReceiver, "os.(*File).Write": keepsNothing,
	"os.(*File).Read": keepsNothing, "os.ReadFile": keepsNothing, "os.WriteFile": keepsNothing, "path.": inResult,
	"path/filepath.Base": inResult, "path/filepath.Join": inResult, "path/filepath.Ext": inResult,
	"path/filepath.Clean": inResult, "path/filepath.Dir": inResult, "regexp.": inResult, "regexp/syntax.": inResult,
	"slices.": inReceiver, "sort.": inReceiver, "strconv.": inResult, "strconv.Format": keepsNothing,
	"strconv.Itoa": keepsNothing, "strings.": inResult, "strings.(*Builder).Write": keepsNothing,
	"strings.(*Reader).Reset": inReceiver, "sync.(*Mutex).": keepsNothing, "sync.(*RWMutex).": keepsNothing,
	"sync.(*WaitGroup).Add": keepsNothing, "sync.(*WaitGroup).Done": keepsNothing,
	"sync.(*WaitGroup).Wait": keepsNothing, "sync.(*Once).Do": keepsNothing, "sync.(*Pool).Put": inReceiver,
	"sync.(*Pool).Get": inResult, "sync.(*Map).": inReceiver, "sync/atomic.": inReceiver,
	"text/tabwriter.": inReceiver, "text/tabwriter.New": inResult, "time.(Time).": inResult,
	"time.Now": keepsNothing, "time.After": keepsNothing, "time.AfterFunc": anything, "time.NewTi": keepsNothing,
	"time.Tick": keepsNothing, "time.(*Timer).": keepsNothing, "time.(*Ticker).": keepsNothing,
	"time.Since": keepsNothing, "time.Parse": inResult, "time.(Duration).": keepsNothing, "unicode": inResult,
	"unicode/utf8.": inResult,
}

func known(function string) keeps {
	best, kind := 0, anything
	for prefix, k := range contracts {
		if len(prefix) > best && strings.HasPrefix(function, prefix) {
			best, kind = len(prefix), k
		}
	}
	return kind
}

// contract returns how much the documentation of a well-known interface allows its
// implementations to keep: io.Writer, io.Reader and their like must not keep the
// bytes, and methods without arguments are given nothing.
func contract(m *types.Func) keeps {
	sig := m.Signature()
	if sig.Params().Len() == 0 {
		return keepsNothing
	}
	for p := range sig.Params().Variables() {
		t := p.Type().Underlying()
		if s, ok := t.(*types.Slice); ok && types.Identical(s.Elem(), types.Typ[types.Byte]) {
			continue
		}
		if carries(t, 0) && !isString(t) {
			return anything
		}
	}
	switch m.Name() {
	case "Write", "WriteString", "WriteByte", "WriteRune", "WriteAt", "Read", "ReadAt", "Sum":
		return keepsNothing
	}
	return anything
}

// symbol returns a function's name with its package first, as profiles have it:
// "bytes.(*Buffer).Write".
func symbol(fn *ssa.Function) string {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil {
		return fn.Name()
	}
	recv := obj.Signature().Recv()
	if recv == nil {
		return obj.Pkg().Path() + "." + obj.Name()
	}
	t, star := recv.Type(), ""
	if p, ok := t.(*types.Pointer); ok {
		t, star = p.Elem(), "*"
	}
	if n, ok := t.(*types.Named); ok {
		return obj.Pkg().Path() + ".(" + star + n.Obj().Name() + ")." + obj.Name()
	}
	return obj.Pkg().Path() + "." + obj.Name()
}

// getter reports whether a function is a getter of a generated protobuf message,
// which returns a part of it.
func getter(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	if recv == nil || fn.Signature.Params().Len() > 0 || !strings.HasPrefix(fn.Name(), "Get") {
		return false
	}
	return hasMethod(recv.Type(), "ProtoReflect")
}

// library adds the constraints of a call of a function without body.
func (h *heap) library(s *site, name string, kind keeps, args []node) {
	if kind == fillsLast && s.v != nil {
		h.decode(s, name, args)
		return
	}
	if kind == anything || kind == fillsLast {
		for _, a := range args {
			h.giveAway(a, s.at.Pos(), profile.ShortName(name), name)
		}
		h.everyResult(s, func(n node) { h.add(n, outside) })
		return
	}
	given := h.node() // the arguments and all that is reached from them
	for _, a := range args {
		h.copy(a, given)
	}
	h.load(given, given)
	h.each(given, func(p place) { h.calledBack(p, given) })
	made := h.node()
	if s.v != nil {
		p := h.make(s.v, object{what: profile.ShortName(name)})
		h.add(made, p)
		if kind != keepsNothing {
			h.copy(given, h.memory[p].content)
			h.copy(given, made)
		}
	} else if kind != keepsNothing {
		h.copy(given, made)
	}
	results := s.c.Signature().Results()
	for i := range results.Len() {
		isError := types.Identical(results.At(i).Type(), types.Universe.Lookup("error").Type())
		switch {
		case s.v == nil || isError && kind == keepsNothing:
		case isError && results.Len() > 1: // it says why there is no other result
			h.copy(given, h.of(s.v, i))
		default:
			h.copy(made, h.of(s.v, i))
		}
	}
	if kind == inReceiver && len(args) > 0 {
		h.store(args[0], made)
		h.leaks = append(h.leaks, leak{value: made, into: args[0], pos: s.at.Pos(), how: "kept by " + profile.ShortName(name)})
	}
}

// decode adds the constraints of a call that decodes. What it makes may refer to
// itself, and the methods of its arguments may do anything with each other.
func (h *heap) decode(s *site, name string, args []node) {
	given, direct, into, made := h.node(), h.node(), h.node(), h.node()
	for _, a := range args {
		h.copy(a, given)
	}
	h.load(given, given)
	h.each(given, func(p place) { h.calledBack(p, given) })
	last := args[len(args)-1] // an interface
	h.copy(last, direct)
	h.load(last, direct)
	h.copy(direct, into)
	h.load(into, into)
	h.add(made, h.make(s.v, object{what: profile.ShortName(name)}))
	h.store(into, made)
	h.leaks = append(h.leaks, leak{value: made, into: direct, pos: s.at.Pos(), how: "decoded into memory from outside by " + profile.ShortName(name)})
}

// calledBack lets a function of a library call its arguments: functions, and the
// methods of the interfaces that the standard library knows.
func (h *heap) calledBack(p place, given node) {
	o := &h.objects[h.memory[p].object]
	if o.code != nil && h.program.build(o.code) {
		h.receive(o.code, o.code.Params, given)
		return
	}
	if o.boxed == nil {
		return
	}
	for _, fn := range h.program.standardMethods(o.boxed) {
		if h.program.build(fn) {
			h.readAll(p, h.value(fn.Params[0]))
			h.receive(fn, fn.Params[1:], given)
		}
	}
}

func (h *heap) receive(fn *ssa.Function, params []*ssa.Parameter, given node) {
	h.enter(fn)
	for _, param := range params {
		h.copy(given, h.value(param))
	}
	for i := range fn.Signature.Results().Len() {
		h.copy(h.result(fn, i), given)
	}
}
