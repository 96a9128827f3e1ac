package arenajson

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/internal/memory"
)

type numbers struct {
	I   int
	I8  int8 `json:"i8,omitempty"`
	I16 int16
	I32 *int32
	I64 int64 `json:",string"`
	U   uint
	U8  uint8
	U16 uint16
	U32 uint32
	U64 *uint64 `json:"u64,string"`
	F32 float32
	F64 float64
	B   bool
	BP  *bool   `json:",string"`
	FS  float64 `json:",string"`
	N   json.Number
}

type texts struct {
	S     string
	Long  string `json:"a_rather_long_name_of_a_field"`
	P     *string
	Q     string `json:",string"`
	Bytes []byte
	Raw   json.RawMessage
	K     string `json:"Kelvin ſ"`
	Kind  kind
	List  []string
	More  [][]byte
	Small []uint8
}

type kind string

type tree struct {
	Name     string
	Value    *float64
	Children []tree
	Next     *tree
	Both     map[string]*tree
	Any      any
	Fixed    [3]tree2
}

type tree2 struct {
	X, Y []int
	Z    [2]string
	When time.Time
}

type Embedded struct {
	Outer  int
	Shared string
	Deep
}

type Deep struct {
	Deepest *Deep
	Shared  string
	Tagged  int `json:"tag"`
}

type hidden struct{ Seen string }

type embeds struct {
	*Embedded
	hidden
	Shared2 string `json:"SHARED"`
	Tagged  int    `json:"TAG"`
	Dur     time.Duration
	When    *time.Time
	Pairs   map[int]string
	Small   map[uint8]*numbers
	Kinds   map[kind][]string
	Times   map[string]time.Time
	Keys    map[Key]int
	Struct  struct{ A, B int }
	PP      **int
	None    struct{}
	Nones   []struct{}
	F       func()
	E       error
	Lists   [][][]float64
}

// A Key is decoded by its own method.
type Key struct{ s string }

func (k *Key) UnmarshalText(text []byte) error {
	k.s = string(text)
	return nil
}

func (k Key) MarshalText() ([]byte, error) { return []byte(k.s), nil }

// targets returns a new zero value of each type that tests decode into.
func targets() []any {
	return []any{
		new(numbers), new(texts), new(tree), new(embeds), new([]tree2), new(*embeds), new([]any), new(any),
		new(map[string]texts), new(string), new(float64), new(int8), new([2]*numbers), new([]byte), new(time.Time), new(json.Number), new(quotes),
	}
}

// same decodes data into an arena and onto the heap, and compares the values, errors
// and panics. It reports whether the input was valid for the target.
func same(t *testing.T, a *arena.Arena, data []byte, target any) bool {
	t.Helper()
	fill := reflect.ValueOf(target).Elem()
	want := reflect.New(fill.Type())
	want.Elem().Set(fill)
	wantErr := recovered(func() error { return json.Unmarshal(data, want.Interface()) })
	for text := arena.TextHeap; text <= arena.TextAlias; text++ {
		got := reflect.New(fill.Type())
		got.Elem().Set(fill)
		err := recovered(func() error { return UnmarshalOptions{Text: text}.Unmarshal(a, data, got.Interface()) })
		if !reflect.DeepEqual(err, wantErr) {
			t.Fatalf("%q into %T: error %#v, want %#v", data, target, err, wantErr)
		}
		if _, ok := err.(panicked); !ok && !reflect.DeepEqual(got.Interface(), want.Interface()) {
			if strings.Contains(fmt.Sprint(want.Elem()), "NaN") { // not equal to itself
				return true
			}
			t.Fatalf("%q into %T:\n%s\nwant\n%s", data, target, shown(got), shown(want))
		}
	}
	return wantErr == nil
}

// A panicked is the panic of a call: of a method, or of encoding/json in Go 1.26 with
// GOEXPERIMENT=jsonv2.
type panicked struct{ reason any }

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.reason) }

// recovered returns the error of a call, or its panic.
func recovered(call func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked{r}
		}
	}()
	return call()
}

// shown returns a value for a message, also if it cannot be encoded.
func shown(v reflect.Value) string {
	var b []byte
	if err := recovered(func() (err error) { b, err = json.Marshal(v.Interface()); return err }); err != nil {
		return fmt.Sprintf("%+v (%v)", v.Elem(), err)
	}
	return string(b)
}

var inputs = []string{
	`{"I":1,"i8":-128,"I16":32767,"I32":-2147483648,"I64":"-9223372036854775808","U":0,"U8":255,"U16":65535,"U32":4294967295,"u64":"18446744073709551615","F32":3.4e38,"F64":-1.7976931348623157e308,"B":true,"BP":"false","FS":"1e3","N":12.50}`,
	`{"i":18446744073709551615,"i8":128,"u":-1,"f32":1e39,"f64":1e999,"I16":1.0,"U8":"1","N":"x"}`,
	`{"u":4294967295,"U64":"00","fs":"0x1p-2","bp":"true","I64":null,"n":"-0.5e+7"}`,
	`{"U":18446744073709551616}`, `{"I":-9223372036854775809}`, `{"I":9223372036854775807, "F64": 0.1e-400}`,
	`{"F64":65.613616999999977}`, `{"F64":-0}`, `{"F64":0.000001}`, `{"F64":1234567890123456789}`, `{"F64":9007199254740993}`, `{"F64":1e22}`, `{"F64":1e23}`, `{"F64":123456789.12345678901}`,
	`{"S":"plain","a_rather_long_name_of_a_field":"größer \u00e4\ud83d\ude00\ud83d x\"\\\/\b\f\n\r\t","P":"","Q":"\"in\\u0041ner\"","Bytes":"aGVsbG8=","Raw": [1, {"x" : null}] ,"KELVIN S":"k","Kind":"k","List":["a",null,"b"],"More":["",null,"AA=="],"Small":[1,2,3]}`,
	"{\"S\":\"bad \xff\xfe utf8\",\"\xff\":1,\"L\\u0069st\":[],\"kelvin ſ\":\"ſ\",\"\\u212aelvin s\":\"K\"}",
	`{"S":"a","S":"b","List":["x","y"],"List":["z"],"Bytes":"!","P":null}`,
	`{"Name":"root","Value":1.5,"Children":[{"Name":"a","Children":[{},{"Name":"b"}]},{"Next":{"Next":{"Name":"deep"}}}],"Both":{"x":{"Name":"m"},"y":null},"Any":{"k":[1,"2",null,true]},"Fixed":[{"X":[1,2],"Y":[]},{"Z":["a"]},null,{"X":[5]}]}`,
	`{"Outer":1,"shared":"s","SHARED":"S","Shared":"t","tag":1,"TAG":2,"Deepest":{"Deepest":{"tag":3}},"Seen":"yes","Dur":5,"When":"2024-01-02T03:04:05Z","Pairs":{"1":"a","-2":"b"},"Pairs":{"1":"c","03":null},"Small":{"255":{"I":1},"0":null,"1":{}},"Kinds":{"\u00e4":["x"],"b":[]},"Times":{"t":"2024-01-02T03:04:05Z"},"Keys":{"a":1},"Struct":{"a":1,"B":2},"PP":7,"None":{"x":1},"Nones":[{},{}],"E":null,"Lists":[[[1,2.5],[]],[],null]}`,
	`{"When":"yesterday"}`, `{"Outer":"x"}`, `{"F":1}`, `{"E":"x"}`, `{"Pairs":{"x":"a"}}`, `{"Small":{"256":{}}}`, `{"Kinds":[]}`, `{"Small":null,"Keys":null}`,
	`[{"X":[1],"When":"2024-01-02T03:04:05Z"},{"X":[1,2,3]}]`, `[{"X":[1,"x",3],"Y":[1]},7,{"X":[1]}]`,
	`null`, `true`, `"text"`, `12`, `-1.5e-3`, `[]`, `{}`, ` [ ] `, `{ }`, "\t[ 1 ,\n\r 2 ]", `[null]`, `[{"I":1},{"I":2},{"I":3}]`,
	``, ` `, `{`, `}`, `[1,]`, `{"a":}`, `{"a" 1}`, `{"a":1,}`, `nul`, `tru`, `falsy`, `01`, `-`, `1.`, `1e`, `"\x"`, `"\u12g4"`, "\"\x01\"", `"open`, `[1 2]`, `{"a":1]`, `1 2`, "\x00", `"a" "b"`, `{"a":1}}`, `+1`, `.5`, `1.5.5`, `{"u":18446744073709551615}`,
	`{"F":null}`, `{"F":null,"F":null}`, `{"bp":"null"}`, `{"Q":"\"\\ud800\""}`, `{"Q":"\"null\""}`, `{"bp":"\u006eull"}`,
	`{"Q":"\"a\" "}`, `{"Q":" \"a\""}`, `{"Q":"\"a\"\n"}`, `{"I64":"1 ","FS":"1.5 ","BP":"true "}`,
}

func FuzzSame(f *testing.F) {
	for _, in := range inputs {
		f.Add([]byte(in))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := arena.NewArena()
		defer a.Free()
		for _, target := range targets() {
			same(t, a, data, target)
			a.Reset()
		}
		same(t, a, data, &numbers{I: 7, N: "1", U8: 3})
		same(t, a, data, &texts{S: "before", Raw: json.RawMessage("{}")})
	})
}

// TestMutations compares decoding of inputs that are nearly valid.
func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	a := arena.NewArena()
	defer a.Free()
	all, valid := targets(), 0
	for range 20000 {
		data := []byte(inputs[r.IntN(len(inputs))])
		for range r.IntN(3) {
			switch i := r.IntN(len(data) + 1); {
			case i == len(data) || r.IntN(3) == 0: // part of another input in its place
				other := inputs[r.IntN(len(inputs))]
				from := r.IntN(len(other) + 1)
				data = append(data[:i:i], other[from:from+r.IntN(len(other)-from+1)]...)
			case r.IntN(2) == 0:
				data[i] = `{}[]",:0.9-eEn \u`[r.IntN(17)]
			default:
				data = append(data[:i:i], data[i+1:]...)
			}
		}
		if same(t, a, data, all[r.IntN(len(all))]) {
			valid++
		}
		a.Reset()
	}
	if valid < 500 {
		t.Errorf("only %d inputs were valid", valid)
	}
}

// TestDirect decodes input that must not be left to json.Unmarshal.
func TestDirect(t *testing.T) {
	a := arena.NewArena()
	defer a.Free()
	d := decoderOf(memory.Of(a, "Test"))
	for in, target := range map[string]any{
		inputs[0]: new(numbers), inputs[2]: new(numbers), inputs[12]: new(numbers),
		inputs[14]: new(texts), inputs[15]: new(texts), inputs[17]: new(tree), inputs[18]: new(embeds), inputs[27]: new([]tree2),
	} {
		v := reflect.ValueOf(target)
		r := rootOf(v.Type())
		d.Reserve()
		if !d.decode(r, v.UnsafePointer(), []byte(in), arena.TextArena) {
			t.Errorf("%s is not decoded into %T", in, target)
		}
	}
}
