package main

// fault is something that a generated function does to the heap.
type fault struct {
	imports string // of the standard library
	body    string // statements over r *request.Request and n int; one line ends in the mark
	through []frame
	runtime string // function of the runtime that the compiler calls for it
}

// mark is the end of the line that allocates.
const mark = "// allocates"

// frame is a function of the standard library, by its file below GOROOT/src.
type frame struct {
	function, file string
	line           int64
}

var faults = []fault{
	{body: "r.Key = string(r.Body) " + mark, runtime: "runtime.slicebytetostring"},
	{body: "r.Body = []byte(r.Key) " + mark, runtime: "runtime.stringtoslicebyte"},
	{body: "r.Key = r.Name + \"/\" + r.Key " + mark, runtime: "runtime.concatstring3"},
	{body: `var found []request.Item
for _, item := range r.Items {
	if item.Count > n {
		found = append(found, item) ` + mark + `
	}
}
r.Items = found`, runtime: "runtime.growslice"},
	{body: `seen := map[string]int{}
for i, item := range r.Items {
	seen[item.Name] = i ` + mark + `
}
r.Seen = seen`, runtime: "runtime.mapassign_faststr"},
	{body: `buffer := make([]byte, 4096+n) ` + mark + `
n += copy(buffer, r.Body)
r.Body = buffer[:n]`, runtime: "runtime.makeslice"},
	{body: "r.Any = n " + mark, runtime: "runtime.convT64"},
	{body: "r.Then = func() int { return n + len(r.Key) } " + mark, runtime: "runtime.newobject"},
	{body: "r.Found = &request.Item{Name: r.Key, Count: n} " + mark, runtime: "runtime.newobject"},
	{imports: "fmt", body: `r.Key = fmt.Sprintf("%s-%d", r.Name, n) ` + mark, runtime: "runtime.slicebytetostring",
		through: []frame{{"fmt.Sprintf", "fmt/print.go", 240}}},
	{imports: "encoding/json", body: `if text, err := json.Marshal(r.Items); err == nil { ` + mark + `
	r.Body = text
}`, runtime: "runtime.growslice", through: []frame{
		{"bytes.growSlice", "bytes/buffer.go", 256}, {"bytes.(*Buffer).grow", "bytes/buffer.go", 150},
		{"bytes.(*Buffer).Write", "bytes/buffer.go", 183}, {"encoding/json.structEncoder.encode", "encoding/json/encode.go", 704},
		{"encoding/json.arrayEncoder.encode", "encoding/json/encode.go", 842}, {"encoding/json.(*encodeState).marshal", "encoding/json/encode.go", 334},
		{"encoding/json.Marshal", "encoding/json/encode.go", 173}}},
	{imports: "strings", body: `for _, part := range strings.Split(r.Key, "/") { ` + mark + `
	n += len(part)
}`, runtime: "runtime.makeslice", through: []frame{{"strings.genSplit", "strings/strings.go", 258}, {"strings.Split", "strings/strings.go", 311}}},
}
