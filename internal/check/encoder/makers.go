package encoder

// maker is a constructor whose value has a method Reset, which takes the first argument.
type maker struct {
	typ       string // the type's name
	suffix    string // the end of the pool's name
	constants int    // arguments behind the first, which have to be constant
	wraps     bool   // it returns an argument of its own type as it is
	fails     bool   // it returns an error, as Reset does
	hash      bool   // it takes nothing and returns an interface of package hash
	small     bool   // only a profile shows whether it matters
}

var makers = map[string]maker{
	"compress/gzip.NewWriter": {typ: "Writer", suffix: "Writers"},
	"compress/gzip.NewReader": {typ: "Reader", suffix: "Readers", fails: true},
	"compress/zlib.NewWriter": {typ: "Writer", suffix: "Writers"},
	"bufio.NewWriter":         {typ: "Writer", suffix: "Writers", wraps: true},
	"bufio.NewReader":         {typ: "Reader", suffix: "Readers", wraps: true},
	"bufio.NewWriterSize":     {typ: "Writer", suffix: "Writers", wraps: true, constants: 1},
	"bufio.NewReaderSize":     {typ: "Reader", suffix: "Readers", wraps: true, constants: 1},

	"github.com/klauspost/compress/gzip.NewWriter":           {typ: "Writer", suffix: "Writers"},
	"github.com/klauspost/compress/gzip.NewReader":           {typ: "Reader", suffix: "Readers", fails: true},
	"github.com/klauspost/compress/zlib.NewWriter":           {typ: "Writer", suffix: "Writers"},
	"github.com/klauspost/compress/s2.NewWriter":             {typ: "Writer", suffix: "Writers"},
	"github.com/klauspost/compress/s2.NewReader":             {typ: "Reader", suffix: "Readers"},
	"github.com/klauspost/compress/snappy.NewBufferedWriter": {typ: "Writer", suffix: "Writers"},
	"github.com/golang/snappy.NewBufferedWriter":             {typ: "Writer", suffix: "Writers"},
	"github.com/golang/snappy.NewReader":                     {typ: "Reader", suffix: "Readers"},
	"github.com/pierrec/lz4/v4.NewWriter":                    {typ: "Writer", suffix: "Writers"},
	"github.com/pierrec/lz4/v4.NewReader":                    {typ: "Reader", suffix: "Readers"},
	"github.com/andybalholm/brotli.NewWriter":                {typ: "Writer", suffix: "Writers"},

	"crypto/md5.New":       {typ: "Hash", suffix: "Hashes", hash: true, small: true},
	"crypto/sha1.New":      {typ: "Hash", suffix: "Hashes", hash: true, small: true},
	"crypto/sha256.New":    {typ: "Hash", suffix: "Hashes", hash: true, small: true},
	"crypto/sha256.New224": {typ: "Hash", suffix: "Hashes", hash: true, small: true},
	"crypto/sha512.New":    {typ: "Hash", suffix: "Hashes", hash: true, small: true},
	"crypto/sha512.New384": {typ: "Hash", suffix: "Hashes", hash: true, small: true},
	"hash/adler32.New":     {typ: "Hash32", suffix: "Hashes", hash: true, small: true},
	"hash/crc32.NewIEEE":   {typ: "Hash32", suffix: "Hashes", hash: true, small: true},
	"hash/fnv.New32":       {typ: "Hash32", suffix: "Hashes", hash: true, small: true},
	"hash/fnv.New32a":      {typ: "Hash32", suffix: "Hashes", hash: true, small: true},
	"hash/fnv.New64":       {typ: "Hash64", suffix: "Hashes", hash: true, small: true},
	"hash/fnv.New64a":      {typ: "Hash64", suffix: "Hashes", hash: true, small: true},
	"hash/fnv.New128":      {typ: "Hash", suffix: "Hashes", hash: true, small: true},
	"hash/fnv.New128a":     {typ: "Hash", suffix: "Hashes", hash: true, small: true},
}
