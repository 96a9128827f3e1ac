package lifetime

// libraryContracts are functions of the standard library by their contract and the
// beginnings of their names. The longest that fits counts.
var libraryContracts = map[contract]string{
	reads: `
		(*strings.Builder).String
		(*bufio. (*bytes.Buffer). (*bytes.Buffer).ReadBytes (*bytes.Buffer).WriteTo (*bytes.Reader). (*compress/
		(*encoding/ (*encoding/json. (*hash/ (*log.Logger). (*log/slog.Logger). (*os.File). (*regexp.Regexp).
		(*strings. (*strings.Builder). (*sync.WaitGroup).Add (*testing. (*time. (context.Context). (encoding/binary. (*crypto/ (*html/template.Template).Execute
		(*text/template.Template).Execute crypto/
		(*regexp.Regexp).FindStringIndex (*regexp.Regexp).FindStringSubmatchIndex (*regexp.Regexp).FindSubmatchIndex
		(hash. (io. (net/http.ResponseWriter). (time. bytes. bytes.Clone bytes.Join bytes.Map bytes.Replace bytes.To
		container/ context. encoding/ encoding/base64. encoding/json. encoding/json.RawMessage errors. fmt. hash/
		io. log. log/slog. math. math/ net/http.Error net/http.NotFound net/http.Redirect
		net/http.SetCookie os. os/signal. regexp. runtime. runtime.KeepAlive
		slices.Contains slices.Equal slices.Index slices.Reverse sort. strconv. strings. strings.Clone
		strings.Repeat testing. time. unicode unicode/utf8.
	`,
	aliases: `
		(*bufio.Reader).Peek (*bufio.Reader).ReadLine (*bufio.Reader).ReadSlice (*bufio.Scanner).Bytes
		(*regexp.Regexp).FindString (*regexp.Regexp).FindSubmatch
		(*bufio.Writer).AvailableBuffer (*bytes.Buffer).AvailableBuffer (*bytes.Buffer).Bytes (*bytes.Buffer).Next
		(reflect.Value).
		bytes.Cut bytes.Fields bytes.Split bytes.Trim
		slices.Clip slices.Compact slices.Delete slices.DeleteFunc slices.Grow slices.Insert
		strings.Cut strings.Fields strings.Map strings.Replace strings.Split strings.Title strings.To strings.Trim
	`,
	appends: `
		(*encoding/base64.Encoding).AppendEncode (*math/big.Int).Append (encoding/binary.bigEndian).Append
		(encoding/binary.littleEndian).Append (encoding/binary.AppendByteOrder).Append (hash.Hash).Sum
		(net/netip.Addr).AppendTo (time.Time).AppendFormat encoding/binary.Append encoding/hex.AppendEncode
		fmt.Append strconv.Append unicode/utf8.Append
	`,
	chains: `
		(*math/big.
	`,
	hands: `
		(*net/http.Client).Do (*net/http.Transport).RoundTrip (net/http.RoundTripper).RoundTrip
	`,
	signals: `
		(*sync.WaitGroup).Done
	`,
	copies: `
		maps.Clone maps.Collect slices.Clone slices.Collect slices.Concat slices.Sorted
	`,
	registers: `
		(*testing.T).Cleanup (*testing.B).Cleanup (testing.TB).Cleanup (*testing.common).Cleanup
	`,
	holds: `
		(*log/slog.Logger).With (*net/http.Request).WithContext bufio.NewReadWriter bufio.NewReader bufio.NewScanner
		bufio.NewWriter bytes.Lines bytes.NewBuffer bytes.NewReader compress/flate.New compress/gzip.New
		compress/zlib.New context.With context.WithValue encoding/json.New errors.Join errors.New fmt.Errorf
		iter.Pull io.LimitReader io.MultiReader io.MultiWriter io.NewSectionReader io.NopCloser io.TeeReader log.New
		log/slog.Any log/slog.Group log/slog.String net/http.MaxBytesReader net/http.NewRequest net/http.ReadRequest
		net/http.ReadResponse net/url.Parse slices.All slices.Values strings.NewReader
		strings.NewReplacer sync.OnceFunc sync.OnceValue
	`,
	keeps: `
		(*bufio.Scanner).Buffer (*container/list.List).Insert (*container/list.List).Push (*sync.Map).LoadOrStore (*sync.Map).Store
		(*sync.Map).Swap (net/http.Header).Add (net/http.Header).Set (net/url.Values).Add (net/url.Values).Set
		maps.Copy
	`,
	retargets: `
		(*bufio.Reader).Reset (*bufio.Writer).Reset (*bytes.Reader).Reset (*compress/flate.Writer).Reset
		(*compress/gzip.Reader).Reset (*compress/gzip.Writer).Reset (*compress/zlib.Writer).Reset
		(*strings.Reader).Reset (*sync/atomic.Pointer).Store (*sync/atomic.Pointer).Swap (*sync/atomic.Value).Store
		(*sync/atomic.Value).Swap
	`,
	takes: `
		(*container/list.List).Init (*container/list.List).Remove (*sync.Map).Clear (*sync.Map).CompareAndDelete
		(*sync.Map).Delete (*sync.Map).LoadAndDelete (net/http.Header).Del
	`,
	fetches: `
		(*container/list.Element). (*container/list.List). (*net/http.Request).Context (*sync.Map).
		(google.golang.org/grpc.ServerStream).Context
		(*sync/atomic.Pointer).Load (*sync/atomic.Value).Load (context.Context).Value (net/http.Header).Get
		(net/http.ResponseWriter).Header
	`,
	calls: `
		(*sync.Once).Do (*testing.B).Run (*testing.T).Run container/heap.
		io/fs.WalkDir path/filepath.Walk path/filepath.WalkDir
		slices.BinarySearchFunc slices.ContainsFunc slices.IndexFunc slices.Sort sort.Slice strings.IndexFunc
	`,
	spawns: `
		time.AfterFunc
		context.AfterFunc
		(*golang.org/x/sync/errgroup.Group).Go (*sync.WaitGroup).Go
	`,
	later: `
		(*net/http.ServeMux).Handle net/http.Handle 
	`,
	waiting: `
		(*time.Timer).Stop context.AfterFunc.stop
		(*golang.org/x/sync/errgroup.Group).Wait (*sync.Cond). (*sync.WaitGroup).Wait
	`,
	locking: `
		(*sync.Mutex). (*sync.RWMutex). (*sync/atomic. (sync.Locker). sync/atomic.
	`,
	counting: `
		(*sync/atomic.Int (*sync/atomic.Uint sync/atomic.AddInt sync/atomic.AddUint sync/atomic.LoadInt
		sync/atomic.StoreInt
	`,
	unclear: `
		(*net/http.Request). (*regexp.Regexp).Find (error).Error (fmt.Stringer).String (net/http.Header).
		(net/url.Values). html. iter. maps. net/url. path. path/filepath. slices. strings.Join
	`,
}
