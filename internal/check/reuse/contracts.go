package reuse

import (
	"go/types"
	"strings"
)

// set returns the names in a text, which are separated by blanks.
func set(names string) map[string]bool {
	all := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		all[name] = true
	}
	return all
}

// streams are packages whose readers, writers and buffers keep nothing of themselves
// elsewhere when one of their methods is called.
var streams = set(`
	bufio bytes io hash hash/adler32 hash/crc32 hash/crc64 hash/fnv hash/maphash compress/bzip2
	compress/flate compress/gzip compress/lzw compress/zlib encoding/base64 encoding/csv encoding/gob
	encoding/hex encoding/json encoding/xml text/tabwriter github.com/klauspost/compress/flate
	github.com/klauspost/compress/gzip github.com/klauspost/compress/s2
	github.com/klauspost/compress/snappy github.com/klauspost/compress/zlib
	github.com/klauspost/compress/zstd github.com/golang/snappy github.com/pierrec/lz4/v4
	github.com/andybalholm/brotli github.com/cespare/xxhash/v2`)

// shares are methods whose first result is a part of the receiver's memory.
var shares = set(`
	(*bytes.Buffer).Bytes (*bytes.Buffer).Next (*bytes.Buffer).AvailableBuffer (*bytes.Buffer).Peek
	(*bufio.Reader).Peek (*bufio.Reader).ReadSlice (*bufio.Reader).ReadLine
	(*bufio.Writer).AvailableBuffer (*bufio.Scanner).Bytes`)

// borrows are functions that use their arguments until they return, and return no part
// of them.
var borrows = set(`
	io.Copy io.CopyN io.CopyBuffer io.ReadAll io.ReadFull io.ReadAtLeast io.WriteString fmt.Fprint
	fmt.Fprintf fmt.Fprintln fmt.Fscan fmt.Fscanf fmt.Fscanln bytes.Clone bytes.Compare bytes.Contains
	bytes.ContainsAny bytes.ContainsRune bytes.Count bytes.Equal bytes.EqualFold bytes.HasPrefix
	bytes.HasSuffix bytes.Index bytes.IndexAny bytes.IndexByte bytes.IndexRune bytes.LastIndex
	bytes.LastIndexAny bytes.LastIndexByte bytes.Repeat bytes.Replace bytes.ReplaceAll bytes.ToLower
	bytes.ToUpper encoding/json.Compact encoding/json.HTMLEscape encoding/json.Indent
	encoding/json.Unmarshal encoding/json.Valid encoding/xml.EscapeText encoding/xml.Unmarshal
	encoding/binary.Read encoding/binary.Write encoding/binary.Uvarint encoding/binary.Varint
	(encoding/binary.bigEndian).Uint16 (encoding/binary.bigEndian).Uint32
	(encoding/binary.bigEndian).Uint64 (encoding/binary.littleEndian).Uint16
	(encoding/binary.littleEndian).Uint32 (encoding/binary.littleEndian).Uint64
	encoding/hex.EncodeToString encoding/hex.Dump (*encoding/base64.Encoding).EncodeToString
	hash/adler32.Checksum hash/crc32.Checksum hash/crc32.ChecksumIEEE hash/crc32.Update
	hash/crc64.Checksum crypto/md5.Sum crypto/sha1.Sum crypto/sha256.Sum224 crypto/sha256.Sum256
	crypto/sha512.Sum384 crypto/sha512.Sum512 unicode/utf8.DecodeRune unicode/utf8.DecodeLastRune
	unicode/utf8.FullRune unicode/utf8.RuneCount unicode/utf8.Valid os.WriteFile (*regexp.Regexp).Match
	(*bytes.Buffer).Write (*bytes.Buffer).ReadFrom (*bytes.Buffer).WriteTo (*strings.Builder).Write
	(*text/template.Template).Execute (*text/template.Template).ExecuteTemplate
	(*html/template.Template).Execute (*html/template.Template).ExecuteTemplate
	github.com/cespare/xxhash/v2.Sum64`)

// returns are functions whose first result has the memory of an argument, or refers to it.
var returns = set(`
	bytes.NewBuffer bytes.NewReader bytes.Trim bytes.TrimFunc bytes.TrimLeft bytes.TrimPrefix
	bytes.TrimRight bytes.TrimSpace bytes.TrimSuffix (time.Time).AppendFormat
	(*encoding/base64.Encoding).AppendEncode encoding/json.NewEncoder encoding/json.NewDecoder
	encoding/xml.NewEncoder encoding/xml.NewDecoder encoding/gob.NewEncoder encoding/gob.NewDecoder
	encoding/csv.NewReader encoding/csv.NewWriter encoding/hex.NewEncoder encoding/hex.NewDecoder
	encoding/base64.NewEncoder encoding/base64.NewDecoder bufio.NewReader bufio.NewReaderSize
	bufio.NewScanner bufio.NewWriter bufio.NewWriterSize compress/gzip.NewReader compress/gzip.NewWriter
	compress/gzip.NewWriterLevel compress/zlib.NewReader compress/zlib.NewWriter
	compress/flate.NewReader compress/flate.NewWriter io.LimitReader io.MultiReader io.MultiWriter
	io.NopCloser io.TeeReader`)

// appends are functions that return their first argument with more bytes behind it.
var appends = set(`
	strconv.AppendBool strconv.AppendFloat strconv.AppendInt strconv.AppendQuote strconv.AppendUint
	fmt.Append fmt.Appendf fmt.Appendln encoding/hex.AppendEncode unicode/utf8.AppendRune
	(encoding/binary.bigEndian).AppendUint16 (encoding/binary.bigEndian).AppendUint32
	(encoding/binary.bigEndian).AppendUint64 (encoding/binary.littleEndian).AppendUint16
	(encoding/binary.littleEndian).AppendUint32 (encoding/binary.littleEndian).AppendUint64
	encoding/binary.AppendUvarint encoding/binary.AppendVarint`)

// Appends reports whether a function returns its first argument with more bytes behind it.
func Appends(name string) bool { return appends[name] }

// contract reports whether a function is a method of an interface, or of another package,
// that by the contract of package io does not keep its argument.
func contract(pkg *types.Package, fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil || fn.Pkg() == pkg && !types.IsInterface(recv.Type()) {
		return false
	}
	params := fn.Signature().Params()
	switch fn.Name() {
	case "Read", "Write":
		return params.Len() == 1 && isBytes(params.At(0).Type())
	case "ReadAt", "WriteAt":
		return params.Len() == 2 && isBytes(params.At(0).Type())
	case "ReadFrom", "WriteTo":
		t := types.TypeString(params.At(0).Type(), nil)
		return params.Len() == 1 && (t == "io.Reader" || t == "io.Writer")
	}
	return false
}
