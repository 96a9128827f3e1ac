package rules

import (
	"slices"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
)

var libraryGarbage = &finding.Rule{
	Name:  "library-garbage",
	Title: "the result of a library call is garbage soon",
	Doc: `Looks for allocations through functions of libraries that no other rule knows, and that do not survive.
The path says who allocates; whether it can be spared is for the reader to judge, so that the range begins low.`,
	Remedy: "Use a variant that writes into the caller's memory, or avoid the result; keep a result that is the same in every call.",
	Example: `host := lookup(name) // once, where name does not change
for _, r := range requests {
	buf = r.AppendTo(buf[:0], host) // instead of s := r.String(host)
}`,
	Risk:         "Low.",
	OtherCallees: true,
	Declines:     func(callee string) bool { return finding.HasPrefix(callee, serving) },
	Saves:        evidence.Range{Low: 0.2, High: 1},
	Without:      []string{"strings.", "strconv.", "slices.", "net/url."},
	Words: func(e *evidence.Evidence, c *finding.Cause, f *finding.Finding) {
		f.Title = "garbage of " + profile.ShortName(c.Callee)
		f.Confidence = evidence.Medium
		i := slices.IndexFunc(sparing, func(v variant) bool { return finding.HasPrefix(c.Callee, v.prefixes) })
		if f.Prose = i < 0; f.Prose {
			f.Remedy = "Call it less often: cache its result where it is the same in every call, or do the work once " +
				"for many. Look for a variant that writes into the caller's memory."
			return
		}
		f.Remedy, f.Example = sparing[i].remedy, sparing[i].example
	},
}

// serving are functions that run as long as the program, or once for each response. Nobody can
// call them less often.
var serving = []string{"testing.", "net/http.(*Server).", "net/http.(*conn).", "net/http.Serve", "net/http.ListenAndServe",
	"net/http.HandlerFunc.", "net/http.serverHandler.", "net/http.(*ServeMux).ServeHTTP", "net/http/httptest.",
	"net/http.(*response).WriteHeader", "net/http.(*http2responseWriter).WriteHeader", "net/http.(*timeoutWriter).WriteHeader"}

const (
	numberAgain        = "Write into a reused number, such as the receiver or one that the caller passes in. Mul also needs one that is neither of its operands."
	numberAgainExample = "var t big.Int // once\nfor … {\n\tt.Mul(sum, x) // instead of sum = new(big.Int).Mul(sum, x)\n\tsum.Add(&t, y)\n}"
)

// A variant is a way to allocate less than the named functions do. They are given by the
// beginning of their names. The example fits all of them.
type variant struct {
	prefixes        []string
	remedy, example string
}

// sparing are the known variants. The first that fits counts.
var sparing = []variant{
	{[]string{"strings.SplitN", "strings.SplitAfterN"},
		"Cut one part after the other: that makes no slice.", "before, after, found := strings.Cut(s, \",\")"},
	{[]string{"strings.Split", "strings.genSplit"},
		"Range over the parts, or cut one after the other: neither makes a slice.",
		"for part := range strings.SplitSeq(s, \",\") {"},
	{[]string{"strings.FieldsFunc"},
		"Range over the fields: that makes no slice.", "for field := range strings.FieldsFuncSeq(s, isSeparator) {"},
	{[]string{"strings.Fields"},
		"Range over the fields: that makes no slice.", "for field := range strings.FieldsSeq(s) {"},
	{[]string{"strings.ToLower", "strings.ToUpper"},
		"Compare with strings.EqualFold, or keep the form that is needed.", "if strings.EqualFold(a, b) {"},
	{[]string{"strings.Replace", "strings.(*Replacer).", "strings.NewReplacer"},
		"Make the Replacer once, in a variable of the package: it builds its tables when it is first used. Write " +
			"through it to where the text goes.",
		"var escape = strings.NewReplacer(\"<\", \"&lt;\")\nescape.WriteString(w, s)"},
	{[]string{"strings.Join"},
		"Write the parts where they go.", "for _, p := range parts {\n\tio.WriteString(w, p)\n}"},
	{[]string{"strconv.Format", "strconv.Itoa"},
		"Append to a reused buffer.", "buf = strconv.AppendInt(buf[:0], n, 10)"},
	{[]string{"strconv.Quote"}, "Append to a reused buffer.", "buf = strconv.AppendQuote(buf[:0], s)"},
	{[]string{"slices.Collect", "slices.AppendSeq"},
		"Range over the sequence itself.", "for v := range maps.Values(m) {"},
	{[]string{"math/rand.New", "math/rand/v2.New"},
		"Keep the generator, or use the package's functions.", "n := rand.IntN(100)"},
	{[]string{"crypto/md5.", "crypto/sha1.", "crypto/sha256.", "crypto/sha512."},
		"Keep the hash and Reset it, or use the package's Sum function, which returns an array.",
		"sum := sha256.Sum256(data)"},
	{[]string{"math/big.NewInt", "math/big.NewFloat", "math/big.NewRat"}, "Make numbers that are constant once; set others into a reused number.",
		"var two = big.NewInt(2) // of the package\n\nz.SetInt64(n) // instead of z := big.NewInt(n)"},
	{[]string{"math/big.(*Int).Exp", "math/big.(*Int).ModInverse", "math/big.(*Int).ModSqrt", "math/big.(*Int).GCD", "math/big.(*Int).Sqrt", "math/big.(*Int).ProbablyPrime"},
		"Call it less often, or keep its result: its intermediate numbers cannot be spared from outside, " +
			"whatever the receiver.",
		"inverse := new(big.Int).ModInverse(x, m) // once, where x and m do not change"},
	{[]string{"math/big.(*Int).QuoRem", "math/big.(*Int).DivMod"}, numberAgain, numberAgainExample},
	{[]string{"math/big.(*Int).Mod", "math/big.(*Int).Rem", "math/big.(*Int).Div", "math/big.(*Int).Quo"},
		"Take quotient and remainder from DivMod (or QuoRem) into two reused numbers: Div and " +
			"Mod make the other of both in each call, Quo and Rem too.",
		"var q, m big.Int // once\nfor … {\n\tq.DivMod(x, y, &m)\n}"},
	{[]string{"math/big.(*Int).String", "math/big.(*Int).Text", "math/big.(*Int).Bytes"}, "Append to a reused buffer.",
		"buf = x.Append(buf[:0], 10) // instead of x.String()\nx.FillBytes(key[:])         // instead of x.Bytes()"},
	{[]string{"math/big.(*Rat)."}, "Compute with Ints over a common denominator, and make the fraction at the end: each operation on a Rat makes products and a greatest common divisor.",
		"sum.Add(sum, price) // in cents\nr := new(big.Rat).SetFrac(sum, hundred)"},
	{[]string{"math/big."}, numberAgain, numberAgainExample},
	{[]string{"hash/crc32.MakeTable", "hash/crc64.MakeTable"}, "Make the table once, in a variable of the package: it depends on the polynomial alone.",
		"var table = crc32.MakeTable(polynomial) // of the package"},
	{[]string{"hash/"}, "Keep the hash and Reset it.", "h.Reset()"},
	{[]string{"net/url.ParseQuery", "net/url.parseQuery", "net/url.(*URL).Query"}, "Read single parameters without a map of all.",
		"for p := range strings.SplitSeq(r.URL.RawQuery, \"&\") {\n\tname, value, _ := strings.Cut(p, \"=\")\n\t…\n}"},
	{[]string{"net/url.Parse", "net/url.parse"},
		"Parse a constant text once, and keep the result.", "var base, err = url.Parse(address) // once"},
	{[]string{"net/http.Header.Set"}, "For a value that is always the same, assign a slice that is made once, under the canonical name: Set makes one each time.",
		"var jsonType = []string{\"application/json\"} // nobody changes it\n\nw.Header()[\"Content-Type\"] = jsonType"},
	{[]string{"net/http/httputil.(*ReverseProxy)."}, "Set the BufferPool of the ReverseProxy, backed by a sync.Pool: without one, " +
		"it makes a buffer of 32 KiB for each response. Keep one proxy for all requests.",
		"type buffers struct{ pool sync.Pool } // New: func() any { b := make([]byte, 32<<10); return &b }\n\n" +
			"func (b *buffers) Get() []byte  { return *b.pool.Get().(*[]byte) }\n" +
			"func (b *buffers) Put(p []byte) { b.pool.Put(&p) }"},
	{[]string{"image.Decode", "image/jpeg.Decode", "image/png.Decode", "image/gif.Decode", "golang.org/x/image/"},
		"Ask image.DecodeConfig for the size first, and refuse what is too large: a decoded picture takes its width times " +
			"its height times up to 8 bytes, however small its file is. Keep a result that is asked for again.",
		"size, _, err := image.DecodeConfig(r) // reads the header alone\nif err != nil || size.Width*size.Height > most {"},
	{[]string{"crypto/tls.Dial", "crypto/tls.(*Dialer).", "crypto/tls.Client", "crypto/tls.(*Conn).Handshake", "crypto/tls.(*Conn).HandshakeContext"},
		"Keep the connection and use it again, in a pool if several need one. Where a new one cannot be avoided, give all of " +
			"them one tls.Config with a ClientSessionCache: then a session resumes without the whole handshake.",
		"var config = &tls.Config{ClientSessionCache: tls.NewLRUClientSessionCache(64)} // one for all"},
	{[]string{"net.Dial", "net.(*Dialer)."}, "Keep the connection and use it again, in a pool if several need one.",
		"conn, err := pool.get(ctx) // dials only if none is idle\ndefer pool.put(conn)"},
	{[]string{"net.Lookup", "net.(*Resolver)."}, "Keep the answer for some time, or keep the connection that it is for.",
		"addrs, ok := cache.get(host) // by an age, such as 30 s"},
	{[]string{"net.ParseIP", "net.ParseCIDR", "net.IP.", "net.IPNet.", "net.(*IPNet)."}, "Use net/netip: its addresses and prefixes are comparable values without memory of their own.",
		"addr, err := netip.ParseAddr(s)"},
	{[]string{"mime/multipart.(*Reader).ReadForm", "net/http.(*Request).ParseMultipartForm", "net/http.(*Request).FormFile"},
		"Read the parts one after the other with Request.MultipartReader, and copy each to where it goes. ParseMultipartForm " +
			"keeps files up to its limit in memory: give it a small one.",
		"parts, err := r.MultipartReader()\n…\npart, err := parts.NextPart()\n_, err = io.Copy(file, part)"},
	{[]string{"database/sql.(*DB).Query", "database/sql.(*DB).Exec", "database/sql.(*Tx).Query", "database/sql.(*Tx).Exec", "database/sql.(*Rows).Scan"},
		"Ask for many rows with one statement, and for the columns that are needed only. Prepare a statement that is used " +
			"often once, and scan into reused variables, or into sql.RawBytes where the bytes are only looked at.",
		"stmt, err := db.PrepareContext(ctx, query) // once"},
	{[]string{"github.com/google/uuid."}, "Call uuid.EnableRandPool once: then random bytes are read many at a time. Keep the UUID instead of its text, which each String makes.",
		"uuid.EnableRandPool() // in main"},
	{[]string{"strings.Repeat", "bytes.Repeat"}, "Make it once, where text and number stay the same, or write the text that many times to where it goes.",
		"var line = strings.Repeat(\"-\", 80) // of the package"},
	{[]string{"bytes.Split", "bytes.genSplit", "bytes.Fields"},
		"Range over the parts, or cut one after the other: neither makes a slice.",
		"for part := range bytes.SplitSeq(b, sep) {"},
	{[]string{"golang.org/x/net/html.Parse"},
		"Read tokens where no tree is needed: html.NewTokenizer makes none.",
		"z := html.NewTokenizer(r)\nfor z.Next() != html.ErrorToken {"},
	{[]string{"os.Environ", "os.Getenv", "os.Hostname", "os.Getwd", "os/user."},
		"Ask once, and keep the answer.", "var host, _ = os.Hostname() // of the package"},
	{[]string{"context.With"}, "Make one context for the request, not one for each step of it.",
		"ctx, cancel := context.WithTimeout(r.Context(), limit) // once\ndefer cancel()\nfor _, s := range steps {\n\ts.do(ctx)\n}"},
}
