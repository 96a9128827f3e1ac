package truth

var gopherLua = Module{
	Name: "gopher-lua", Path: "github.com/yuin/gopher-lua", Version: "v1.1.2",
	Args:    []string{"-main", "./cmd/glua", "--", "{data}/count.lua"},
	Compile: []string{"./cmd/glua"},
	Files: map[string]func() string{"count.lua": func() string {
		return `local words, count = {}, {}
for i = 1, 20000 do words[i] = "word" .. (i % 977) end
for round = 1, 200 do
  for i, w in ipairs(words) do count[w] = (count[w] or 0) + 1 end
  local parts = {}
  for w, n in pairs(count) do parts[#parts + 1] = w .. "=" .. n end
  for k, v in string.gmatch(table.concat(parts, ","), "(%w+)=(%d+)") do count[k] = tonumber(v) % 7 end
end
`
	}},
	Expect: []Place{
		{"baselib.go:144-146", "boxing", "33% of the bytes: the same number is put into an interface twice for each step of ipairs; once will do"},
		{"vm.go:2366-2390", "request-buffer string-concatenation library-garbage string-conversion", "13% of the bytes: the parts of a concatenation, and its text"},
		{"pm/pm.go:51-66", "append-without-room", "14% of the bytes: the captures of a match grow from nothing"},
		{"pm/pm.go:550-600", "append-without-room library-garbage", "15% of the bytes: the same, by the caller"},
		{"table.go:152-158", "append-without-room", "9% of the bytes: a table's array"},
		{"stringlib.go:312-325", "boxing string-conversion", "4% of the bytes: captures as values"},
		{"alloc.go:60-70", "boxing request-buffer arena", "3% of the bytes: numbers of the machine, in batches"},
		{"", "frequent-gc", "a live heap of a few MiB"},
	},
	Unsafe: []Place{
		{"baselib.go:140-150", "", "pushed on the registry"},
		{"vm.go:1-3000", "", "values of the program"},
		{"pm/pm.go:1-548", "", "captures are returned"},
		{"pm/pm.go:620-700", "", "captures are returned"},
		{"table.go:1-400", "", "the content of the program's tables"},
		{"stringlib.go:300-330", "", "pushed on the registry"},
		{"alloc.go:1-80", "", "values of the program"},
	},
	Safe: []Place{
		{"pm/pm.go:549-619", "", "the slice of the variadic argument is read, and only its element is kept"},
	},
	Mode: "a heap floor or GOGC=400",
}
