package truth

var gotoml = Module{
	Name: "go-toml", Path: "github.com/pelletier/go-toml/v2", Version: "v2.4.3",
	Args:    []string{"-bench", "BenchmarkUnmarshal$|RealWorldViperRead", "./benchmark"},
	Compile: []string{"./benchmark"},
	Expect: []Place{
		{"decode_fused.go:301-305", "map-without-size", "55% of the bytes: tables grow from nothing; how many keys there will be is not known"},
		{"decode_fused.go:228-231", "string-conversion boxing", "6% of the bytes: values"},
		{"decode_fused.go:294-295", "append-without-room map-without-size", "5% of the bytes: arrays of tables"},
		{"unmarshaler.go:602-603", "map-without-size", "6% of the bytes: tables"},
		{"unmarshaler.go:1725", "string-conversion", "3% of the bytes: text of a field"},
		{"", "frequent-gc", "a live heap of a few MiB beside hundreds allocated a second"},
	},
	Unsafe: []Place{
		{"decode_fused.go:1-400", "", "tables and values are returned to the caller"},
		{"unmarshaler.go:1-2200", "", "kept by the caller's value"},
	},
	Mode: "a heap floor or GOGC=400",
}
