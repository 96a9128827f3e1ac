package truth

// Changes are the changes made by hand. An edit's lines are our own; those of a
// file go from its end to its beginning.
var Changes = []*Change{
	{Of: "jwt", For: "parser.go:139", What: "split at three dots at most", Tests: []string{"."}, Edits: []Edit{
		{"parser.go:139", `	parts = strings.SplitN(tokenString, ".", 4)`},
	}},
	{Of: "jose", For: "jws.go:330", What: "split at three dots at most", Tests: []string{"."}, Edits: []Edit{
		{"jws.go:330", `	parts := strings.SplitN(input, ".", 4)`},
	}},
	{Of: "go-version", For: "version.go:384-401", What: "append numbers and texts to one buffer", Tests: []string{"."}, Edits: []Edit{
		{"version.go:385-400", `	text := make([]byte, 0, 32)
	for i, n := range v.segments {
		if i > 0 {
			text = append(text, '.')
		}
		text = strconv.AppendInt(text, n, 10)
	}
	if v.pre != "" {
		text = append(append(text, '-'), v.pre...)
	}
	if v.metadata != "" {
		text = append(append(text, '+'), v.metadata...)
	}
	return string(text)`},
		{"version.go:7", ""},
	}},
	{Of: "levenshtein", For: "levenshtein.go:45", What: "a row on the stack for short texts", Tests: []string{"."}, Edits: []Edit{
		{"levenshtein.go:45", `	var room [64]int
	x := room[:]
	if lenS1 < len(room) {
		x = x[:lenS1+1]
	} else {
		x = make([]int, lenS1+1)
	}`},
	}},
	{Of: "cbor", For: "encode.go:978-984", What: "one reflect.Value for all keys, one for all values", Tests: []string{"."}, Edits: []Edit{
		{"encode.go:984", `		value.SetIterValue(iter)
		if err := me.ef(kve, em, value); err != nil {`},
		{"encode.go:978", `		key.SetIterKey(iter)
		if err := me.kf(kve, em, key); err != nil {`},
		{"encode.go:975", `	iter := v.MapRange()
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()`},
	}},
	{Of: "strcase", For: "camel.go:34-58", What: "append to bytes instead of +=", Tests: []string{"."}, Edits: []Edit{
		{"camel.go:58", `	return string(n)`},
		{"camel.go:38-51", `	for _, v := range s {
		switch {
		case v >= 'A' && v <= 'Z', v >= '0' && v <= '9':
			n = append(n, byte(v))
		case v >= 'a' && v <= 'z' && capNext:
			n = append(n, byte(v)-'a'+'A')
		case v >= 'a' && v <= 'z':
			n = append(n, byte(v))
		}`},
		{"camel.go:36", `	n := make([]byte, 0, len(s))`},
	}},
	{Of: "strcase", For: "snake.go:68-112", What: "append to bytes instead of +=", Tests: []string{"."}, Edits: []Edit{
		{"snake.go:107-112", `	if screaming {
		return strings.ToUpper(string(n))
	}
	return strings.ToLower(string(n))`},
		{"snake.go:88-104", `		switch turn := i > 0 && n[len(n)-1] != delimiter && nextCaseIsChanged; {
		case turn && v >= 'A' && v <= 'Z':
			n = append(n, delimiter, byte(v))
		case turn && v >= 'a' && v <= 'z':
			n = append(n, byte(v), delimiter)
		case turn:
		case (v == ' ' || v == '_' || v == '-') && uint8(v) != ignore:
			n = append(n, delimiter)
		default:
			n = append(n, string(v)...)
		}`},
		{"snake.go:70", `	n := make([]byte, 0, 2*len(s))`},
	}},
	{Of: "natsort", For: "natsort.go:27", What: "split by hand instead of by a regular expression", Tests: []string{"."}, Edits: []Edit{
		{"natsort.go:24-28", `func chunkify(s string) []string {
	chunks := make([]string, 0, 8)
	for begin, i := 0, 1; i <= len(s); i++ {
		if i == len(s) || isDigit(s[i]) != isDigit(s[i-1]) {
			chunks, begin = append(chunks, s[begin:i]), i
		}
	}
	return chunks
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }`},
		{"natsort.go:5", ""},
	}},
	{Of: "html-diff", For: "difflib.go:94", Rules: "formatting", What: "write the parts instead of fmt.Fprintf", Tests: []string{"."}, Edits: []Edit{
		{"difflib.go:94", `			buf.WriteString("><pre>")
			buf.WriteString(d.Payload)
			buf.WriteString("</pre>")`},
	}},
	{Of: "html-diff", For: "difflib.go:104", Rules: "formatting", What: "write the parts instead of fmt.Fprintf", Tests: []string{"."}, Edits: []Edit{
		{"difflib.go:104", `			buf.WriteString("><pre>")
			buf.WriteString(d.Payload)
			buf.WriteString("</pre></td><td class=\"line-num\">")
			buf.WriteString(strconv.Itoa(j))`},
		{"difflib.go:8", `	"math"
	"strconv"`},
	}},
	{Of: "html-diff", For: "difflib.go:84-108", Rules: "request-buffer", What: "the buffer from a pool", Tests: []string{"."}, Race: true, Edits: []Edit{
		{"difflib.go:84", `	buf, _ := pages.Get().(*bytes.Buffer)
	if buf == nil {
		buf = new(bytes.Buffer)
	}
	defer pages.Put(buf)
	buf.Reset()`},
		{"difflib.go:9", `	"sync"
)

var pages sync.Pool`},
	}},
	{Of: "html-diff", For: "difflib.go:59-66", What: "make the slice with room for both texts", Tests: []string{"."}, Edits: []Edit{
		{"difflib.go:56", `	start, end := numEqualStartAndEndElements(seq1, seq2)
	diff = make([]DiffRecord, 0, len(seq1)+len(seq2))`},
	}},
	{Of: "unified-diff", For: "difflib/difflib.go:238-252", What: "clear two maps in turn", Tests: []string{"./difflib"}, Edits: []Edit{
		{"difflib/difflib.go:257", `		j2len, newj2len = newj2len, j2len`},
		{"difflib/difflib.go:242", `		for j := range newj2len {
			delete(newj2len, j)
		}`},
		{"difflib/difflib.go:238", `	j2len, newj2len := map[int]int{}, map[int]int{}`},
	}},
	{Of: "unified-diff", For: "difflib/difflib.go:153-157", Rules: "map-without-size", What: "make the map with its size", Tests: []string{"./difflib"}, Edits: []Edit{
		{"difflib/difflib.go:153", `	b2j := make(map[string][]int, len(m.b))`},
	}},
	{Of: "anchor-name", For: "main.go:20-23", What: "make the slice with the size of the text", Tests: []string{"."}, Edits: []Edit{
		{"main.go:14", `	anchorName := make([]rune, 0, len(text))`},
	}},
	{Of: "anchor-name", For: "main.go:20-28", What: "a strings.Builder with Grow", Tests: []string{"."}, Edits: []Edit{
		{"main.go:28", `	return anchorName.String()`},
		{"main.go:23", `			anchorName.WriteRune(unicode.ToLower(r))`},
		{"main.go:19-20", `			if futureDash && anchorName.Len() > 0 {
				anchorName.WriteByte('-')`},
		{"main.go:14", `	var anchorName strings.Builder
	anchorName.Grow(len(text))`},
		{"main.go:10", `import (
	"strings"
	"unicode"
)`},
	}},
	{Of: "otel-trace", For: "tracestate.go:74", What: "cut the member by hand instead of by a regular expression", Tests: []string{"."}, Edits: []Edit{
		{"tracestate.go:74-78", `	key, value, ok := strings.Cut(strings.TrimSpace(m), "=")
	if !ok {
		return member{}, fmt.Errorf("%w: %s", errInvalidMember, m)
	}
	result, e := newMember(key, value)`},
		{"tracestate.go:46", ""},
	}},
	{Of: "rs-cors", For: "utils.go:26", What: "cut one part after the other", Tests: []string{"."}, Edits: []Edit{
		{"utils.go:26-31", `				out = make([]string, i, len(values)+strings.Count(v, ","))
				copy(out, values[:i])
				for s, rest, more := "", v, true; more; {
					s, rest, more = strings.Cut(rest, ",")
					out = append(out, strings.TrimSpace(s))
				}`},
	}},
	{Of: "semver", For: "version.go:322-326", What: "append to a buffer on the stack", Tests: []string{"."}, Edits: []Edit{
		{"version.go:322-332", `	text := make([]byte, 0, 64)
	text = append(strconv.AppendUint(text, v.major, 10), '.')
	text = append(strconv.AppendUint(text, v.minor, 10), '.')
	text = strconv.AppendUint(text, v.patch, 10)
	if v.pre != "" {
		text = append(append(text, '-'), v.pre...)
	}
	if v.metadata != "" {
		text = append(append(text, '+'), v.metadata...)
	}
	return string(text)`},
		{"version.go:4", ""},
	}},
	{Of: "semver", For: "version.go:322-324", Rules: "formatting arena", What: "append the numbers instead of fmt.Fprintf, which moves buf to the heap", Tests: []string{"."}, Edits: []Edit{
		{"version.go:324", `	text := make([]byte, 0, 64)
	text = append(strconv.AppendUint(text, v.major, 10), '.')
	text = append(strconv.AppendUint(text, v.minor, 10), '.')
	buf.Write(strconv.AppendUint(text, v.patch, 10))`},
	}},
	{Of: "humanize", For: "bytes.go:104", What: "+ instead of fmt.Sprintf", Tests: []string{"."}, Edits: []Edit{
		{"bytes.go:103-104", `	f := "%." + strconv.Itoa(digits) + "f %s"`},
	}},
	{Of: "humanize", For: "bytes.go:104-105", What: "strconv.AppendFloat instead of fmt.Sprintf", Tests: []string{"."}, Edits: []Edit{
		{"bytes.go:103-105", `	text := strconv.AppendFloat(make([]byte, 0, 32), val, 'f', digits, 64)
	return string(append(append(text, ' '), suffix...))`},
	}},
	{Of: "line-diff", For: "diff/diff.go:56", What: "write the parts instead of fmt.Fprintf", Tests: []string{"./diff"}, Edits: []Edit{
		{"diff/diff.go:56", `			buf.WriteByte(' ')
			buf.WriteString(line)
			buf.WriteByte('\n')`},
	}},
	{Of: "cell-width", For: "runewidth.go:261-271", What: "strings.Builder with Grow instead of +=", Tests: []string{"."}, Edits: []Edit{
		{"runewidth.go:274", `	return out.String()`},
		{"runewidth.go:271", `		out.WriteRune(r)`},
		{"runewidth.go:267", `			out.WriteRune(r)`},
		{"runewidth.go:265", `			out.WriteByte('\n')`},
		{"runewidth.go:261", `			out.WriteRune(r)`},
		{"runewidth.go:257", `	var out strings.Builder
	out.Grow(len(s) + 16)`},
	}},
	{Of: "toml-encode", For: "type_toml.go:20", What: "compare the texts without interfaces", Tests: []string{"."}, Edits: []Edit{
		{"type_toml.go:20", `	if t == nil {
		return false
	}
	name := t.typeString()
	return name == string(tomlHash) || name == string(tomlArrayHash)`},
	}},
	{Of: "toml-encode", For: "encode.go:595", What: "a constant, whose interface needs no memory", Tests: []string{"."}, Edits: []Edit{
		{"type_toml.go:28-29", `const tomlInteger tomlBaseType = "Integer"

var (`},
	}},
	{Of: "toml-encode", For: "encode.go:415", Rules: "append-without-room", What: "make the slice with room for all keys", Tests: []string{"."}, Edits: []Edit{
		{"encode.go:410", `	mapKeysDirect, mapKeysSub := make([]reflect.Value, 0, rv.Len()), []reflect.Value(nil)`},
	}},
	{Of: "dns-svcb", For: "msg_helpers.go:617", What: "slices.SortFunc instead of sort.Slice", Tests: []string{"-run", "SVCB|HTTPS|Pack", "."}, Edits: []Edit{
		{"msg_helpers.go:617-619", `	slices.SortFunc(pairs, func(a, b SVCBKeyValue) int { return int(a.Key()) - int(b.Key()) })`},
		{"msg_helpers.go:9", `	"slices"`},
	}},
	{Of: "x-net-html", For: "html/token.go:904", What: "look the name up without a copy of it on the heap", Tests: []string{"./html"}, Edits: []Edit{
		{"html/token.go:907", `			z.attrNames[string(key)] = true`},
		{"html/token.go:904-905", `		var room [64]byte
		key := lower(append(room[:0], z.buf[z.pendingAttr[0].start:z.pendingAttr[0].end]...))
		if saveAttr && len(key) > 0 && !z.attrNames[string(key)] {`},
	}},
	{Of: "x-net-html", For: "html/token.go:1227", What: "keep the buffer for the name", Tests: []string{"./html"}, Edits: []Edit{
		{"html/token.go:1227", `			z.nameBuffer = append(z.nameBuffer[:0], z.buf[z.data.start:z.data.end]...)
			s := z.nameBuffer
			if bytes.IndexByte(s, 0) >= 0 {
				s = bytes.ReplaceAll(s, nul, replacement)
			}`},
		{"html/token.go:159", `	attrNames     map[string]bool
	nameBuffer    []byte`},
	}},
	{Of: "chroma", For: "regexp.go:505-508", What: "slice and map with their sizes", Tests: []string{".", "./lexers", "./formatters/html"}, Edits: []Edit{
		{"regexp.go:504-506", `			all := match.Groups()
			groups, namedGroups := make([]string, 0, len(all)), make(map[string]string, len(all))
			for _, g := range all {`},
	}},
	{Of: "chroma", For: "formatters/html/html.go:328", What: "io.WriteString instead of fmt.Fprint", Tests: []string{"./formatters/html"}, Edits: []Edit{
		{"formatters/html/html.go:328", `			io.WriteString(w, html) //nolint`},
	}},
	{Of: "chroma", For: "formatters/html/html.go:326", What: "+ instead of fmt.Sprintf", Tests: []string{"./formatters/html"}, Edits: []Edit{
		{"formatters/html/html.go:326", `				html = "<span" + attr + ">" + html + "</span>"`},
	}},
	{Of: "chroma", For: "formatters/html/html.go:421", What: "+ instead of fmt.Sprintf", Tests: []string{"./formatters/html"}, Edits: []Edit{
		{"formatters/html/html.go:421", "	return ` style=\"` + strings.Join(css, \";\") + `\"`"},
	}},
	{Of: "expr", For: "vm/vm.go:668", What: "a stack with room for sixteen", Tests: []string{"./vm/..."}, Edits: []Edit{
		{"vm/vm.go:73", `		vm.Stack = make([]any, 0, 16)`},
	}},
	{Of: "gojq", For: "compiler.go:1662", What: "instructions with room for 64", Tests: []string{"."}, Edits: []Edit{
		{"compiler.go:77", `	c := &compiler{codes: make([]*code, 0, 64)}`},
	}},
	{Of: "sh", For: "syntax/parser.go:2112", What: "statements in batches of sixteen", Tests: []string{"./syntax"}, Edits: []Edit{
		{"syntax/parser.go:2112", `	if len(p.stmtBatch) == 0 {
		p.stmtBatch = make([]Stmt, 16)
	}
	s := &p.stmtBatch[0]
	p.stmtBatch = p.stmtBatch[1:]
	s.Position = pos`},
		{"syntax/parser.go:581", `	p.wordBatch, p.stmtBatch = nil, nil`},
		{"syntax/parser.go:543", `	wordBatch []wordAlloc
	stmtBatch []Stmt`},
	}},
	{Of: "bbolt", For: "tx.go:601", What: "the page from a pool", Tests: []string{"-short", "."}, Race: true, Edits: []Edit{
		{"tx.go:601", `	pooled, _ := metaPages.Get().(*[]byte)
	if pooled == nil || len(*pooled) != tx.db.pageSize {
		page := make([]byte, tx.db.pageSize)
		pooled = &page
	}
	defer metaPages.Put(pooled)
	buf := *pooled
	clear(buf)`},
		{"tx.go:17", `)

var metaPages sync.Pool`},
		{"tx.go:13", `	"sync"
	"unsafe"`},
	}},
	{Of: "go-git", For: "plumbing/format/packfile/patch_delta.go:328", What: "the reader from the module's pool", Tests: []string{"./plumbing/format/packfile"}, Race: true, Edits: []Edit{
		{"plumbing/format/packfile/patch_delta.go:328", `	deltaBuf := sync.GetBufioReader(delta)
	defer sync.PutBufioReader(deltaBuf)`},
	}},

	{Of: "chroma", What: "the mode that it names"},
	{Of: "gomarkdown", What: "the mode that it names"},
	{Of: "miekg-dns", What: "the mode that it names"},
	{Of: "sh", What: "the mode that it names"},
	{Of: "x-net-html", What: "the mode that it names"},
	{Of: "gojq", What: "the mode that it names"},
	{Of: "expr", What: "the mode that it names"},
	{Of: "go-toml", What: "the mode that it names"},
	{Of: "goja", What: "the mode that it names"},
	{Of: "jwt", What: "the mode that it names"},
	{Of: "go-version", What: "the mode that it names"},
	{Of: "cbor", What: "the mode that it names"},
}
