package owner

import "testing"

// The frames are as profiles of real programs have them.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		function, file string
		want           Owner
	}{
		// The program.
		{"main.main", "/src/app/main.go", Program},
		{"main.main", "command-line-arguments/main.go", Program}, // -trimpath
		{"main.(*server).handle", `C:\src\app\server.go`, Program},
		{"main.handle.func1", "./main.go", Program},
		{"main.init.0", "/src/app/main.go", Program},
		{"main.main", "", Program},
		{"app/internal/x.F", "app/internal/x/x.go", Program}, // a module without a dot
		{"example.org/app/store.(*DB).Get", "/src/app/store/db.go", Program},
		{"example.org/app/store.(*DB).Get", "example.org/app/store/db.go", Program},
		{"example.org/app/store.(*Cache[go.shape.string,go.shape.*uint8]).Get", "/src/app/store/cache.go", Program},
		{"example.org/app/store.Map[go.shape.struct { net/http.Header }]", "/src/app/store/map.go", Program},
		{"example.org/app/store.Each[...].func1", "/src/app/store/each.go", Program},
		{"example.org/app/store_test.BenchmarkGet", "/src/app/store/db_test.go", Program},
		{"example.org/beside/lib.F", "/src/lib/lib.go", Program}, // of a replace, or a go.work
		{"example.org/app/hash.sum", "/src/app/hash/sum_amd64.s", Program},
		{"example.org/app/native._cgoexp_1f3_callback", "_cgo_gotypes.go", Program},
		{"example.org/app/native._Cfunc_sum", "_cgo_gotypes.go", Program},
		{"example.org/app/%2ehidden.F", "/src/app/.hidden/f.go", Program},
		{"example.org/app/v2/store.Open", "/src/app/store/open.go", Program},
		{"example.org/app/gen.(*Message).Reset", "bazel-out/k8-fastbuild/bin/gen/message.pb.go", Program},
		{"arenas.local/x.F", "/src/x/x.go", Program}, // begins like a package of Go's
		{"strings2.F", "/src/strings2/f.go", Program},
		{"vendor.F", "/src/vendor.go", Program},
		{"main.run.func1", "/src/mine/src/log/main.go", Program},

		// Dependencies.
		{"github.com/you/lib.F", "/go/pkg/mod/github.com/you/lib@v1.0.0/x.go", Dependency},
		{"github.com/you/lib.F", "github.com/you/lib@v1.0.0/x.go", Dependency}, // -trimpath
		{"github.com/you/lib/v5.(*Mux).ServeHTTP", "/go/pkg/mod/github.com/you/lib/v5@v5.2.1/mux.go", Dependency},
		{"github.com/you/lib.(*T[...]).Do.func1", "/go/pkg/mod/github.com/you/lib@v0.0.0-20240102030405-abcdefabcdef/t.go", Dependency},
		{"github.com/You/lib.F", "/go/pkg/mod/github.com/!you/lib@v1.0.0/x.go", Dependency},
		{"github.com/you/lib.F", "/src/app/vendor/github.com/you/lib/x.go", Dependency},
		{"github.com/you/lib.F", "vendor/github.com/you/lib/x.go", Dependency},
		{"github.com/you/lib.F", `C:\go\pkg\mod\github.com\you\lib@v1.0.0\x.go`, Dependency},
		{"github.com/you/lib.F", `C:\src\app\vendor\github.com\you\lib\x.go`, Dependency},
		{"github.com/you/lib.sum", "/go/pkg/mod/github.com/you/lib@v1.0.0/sum_arm64.s", Dependency},
		{"github.com/you/lib._Cfunc_inflate", "/go/pkg/mod/github.com/you/lib@v1.0.0/cgo.go", Dependency},
		{"golang.org/x/net/http2.(*Framer).ReadFrame", "/go/pkg/mod/golang.org/x/net@v0.40.0/http2/frame.go", Dependency},
		{"gopkg.in/yaml%2ev3.(*parser).parse", "/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/decode.go", Dependency},
		{"github.com/you/lib.F", "external/com_github_you_lib/x.go", Dependency},                      // Bazel, WORKSPACE
		{"github.com/you/lib.F", "external/gazelle~~go_deps~com_github_you_lib/x.go", Dependency},     // Bazel 7, bzlmod
		{"github.com/you/lib.F", "external/gazelle++go_deps+com_github_you_lib/sub/x.go", Dependency}, // Bazel 8

		// The standard library.
		{"net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go", Standard},
		{"net/http.(*conn).serve", "net/http/server.go", Standard},
		{"net/http.HandlerFunc.ServeHTTP", `C:\Program Files\Go\src\net\http\server.go`, Standard},
		{"encoding/json.(*decodeState).object", "", Standard},
		{"vendor/golang.org/x/net/idna.(*Profile).ToASCII", "vendor/golang.org/x/net/idna/idna.go", Standard},
		{"runtime/pprof.(*profileBuilder).build", "/usr/local/go/src/runtime/pprof/proto.go", Standard},
		{"runtime/debug.SetGCPercent", "runtime/debug/garbage.go", Standard},
		{"slices.SortFunc[go.shape.[]github.com/me/app.T,go.shape.struct {}]", "slices/sort.go", Standard},
		{"internal/poll.(*FD).Read", "internal/poll/fd_unix.go", Standard},
		{"crypto/internal/fips140/sha256.blockSHANI", "crypto/internal/fips140/sha256/sha256block_amd64.s", Standard},
		{"sync.(*Pool).Get", "sync/pool.go", Standard},
		{"cmd/compile/internal/ssa.Compile", "cmd/compile/internal/ssa/compile.go", Standard},
		{"main.run.(*Logger).Printf.func1", "/usr/local/go/src/log/log.go", Standard}, // inlined
		{"example.org/app/store.Put.OnceFunc.func2", "sync/oncefunc.go", Standard},
		{"main.run.SortFunc[...].func1", `C:\Program Files\Go\src\slices\sort.go`, Standard},
		{"main.run.OnceFunc.func1", "/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.27.4.linux-amd64/src/sync/oncefunc.go", Standard},
		{"reflect.Value.call", "/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.27.4.linux-amd64/src/reflect/value.go", Standard},

		// The runtime, and frames without symbols.
		{"runtime.mallocgc", "/usr/local/go/src/runtime/malloc.go", Runtime},
		{"runtime.mallocgc", "/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.27.4.linux-amd64/src/runtime/malloc.go", Runtime},
		{"runtime.gcAssistAlloc.func1", "runtime/mgcmark.go", Runtime},
		{"internal/runtime/maps.(*Map).growToSmall", "internal/runtime/maps/map.go", Runtime},
		{"runtime/internal/atomic.Cas", "runtime/internal/atomic/atomic_amd64.s", Runtime}, // until Go 1.22
		{"internal/bytealg.IndexByteString", "internal/bytealg/indexbyte_amd64.s", Runtime},
		{"internal/abi.(*Type).Kind", "internal/abi/type.go", Runtime},
		{"memeqbody", "internal/bytealg/equal_amd64.s", Runtime},
		{"gcWriteBarrier", "runtime/asm_amd64.s", Runtime},
		{"gogo", "", Runtime},
		{"[libc.so.6]", "", Runtime},
		{"[vdso]", "", Runtime},
		{"<unknown>", "", Runtime},
		{"", "", Runtime},
	} {
		if got := Of(c.function, c.file); got != c.want {
			t.Errorf("%s in %q is of the %s, want %s", c.function, c.file, got, c.want)
		}
	}
}
