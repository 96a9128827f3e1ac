package a

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"
)

var digits = regexp.MustCompile(`\d+`)

type raw []byte

type packet struct{ body []byte }

func search(b []byte, s string) (n int) {
	if strings.Contains(string(b), "x") { // want `bytes.Contains takes it as it is`
		n++
	}
	if strings.HasPrefix(string(b), s) { // want `bytes.HasPrefix takes it`
		n++
	}
	if strings.HasSuffix(s, string(b)) { // want `bytes.HasSuffix takes it`
		n++
	}
	if strings.EqualFold(string(b), string(b[1:])) { // want `bytes.EqualFold takes it`
		n++
	}
	n += strings.Index(string(b), "x")       // want `bytes.Index takes it`
	n += strings.LastIndex(string(b), "x")   // want `bytes.LastIndex takes it`
	n += strings.Count(string(b), "x")       // want `bytes.Count takes it`
	n += strings.IndexByte(string(b), 'x')   // want `bytes.IndexByte takes it`
	n += strings.IndexAny(string(b), "xy")   // want `bytes.IndexAny takes it`
	n += strings.IndexRune(string(b), 'x')   // want `bytes.IndexRune takes it`
	n += strings.LastIndexByte(string(b), 1) // want `bytes.LastIndexByte takes it`
	return n
}

func named(b raw, p *packet) bool {
	return strings.ContainsRune(string(b), 'x') || // want `bytes.ContainsRune takes it`
		strings.ContainsAny(string(p.body), "xy") // want `bytes.ContainsAny takes it`
}

func inLoop(lines [][]byte) (n int) {
	for _, l := range lines {
		if strings.HasPrefix(string(l), "#") { // want `bytes.HasPrefix takes it`
			continue
		}
		n += utf8.RuneCountInString(string(l)) // want `utf8.RuneCount takes it`
	}
	return n
}

func valid(b []byte) bool {
	return utf8.ValidString(string(b)) // want `utf8.Valid takes it`
}

func match(b []byte, s string) bool {
	if digits.MatchString(string(b)) || // want `Match takes it`
		digits.Match([]byte(s)) { // want `MatchString takes it`
		return true
	}
	return digits.FindStringIndex(string(b)) != nil || // want `FindIndex takes it`
		digits.FindSubmatchIndex([]byte(s)) != nil || // want `FindStringSubmatchIndex takes it`
		len(digits.FindAllIndex([]byte(s), -1)) > 1 // want `FindAllStringIndex takes it`
}

func decode(s string, v any) error {
	return json.NewDecoder(bytes.NewReader([]byte(s))).Decode(v) // want `strings.NewReader reads it as it is`
}

func request(s string) (*http.Request, error) {
	return http.NewRequest("POST", "/", bytes.NewBuffer([]byte(s))) // want `strings.NewReader reads it`
}

func own(s string) { read(bytes.NewReader([]byte(s))) } // want `strings.NewReader reads it`

func read(io.Reader) {}

// The writer is one for strings elsewhere, too.
func both(w io.Writer, title, body string) error {
	if _, err := io.WriteString(w, title); err != nil {
		return err
	}
	_, err := w.Write([]byte(body)) // want `io.WriteString spares that`
	return err
}

func turns(w, other io.Writer, title, body string) {
	io.WriteString(w, title)
	w = other
	w.Write([]byte(body)) // want `io.WriteString spares that`
}

func write(w io.Writer, s string) {
	w.Write([]byte(s)) // want `io.WriteString spares that`
}

func serve(w http.ResponseWriter, r *http.Request) {
	w.Write([]byte("hello, " + r.URL.Path)) // want `io.WriteString spares that`
}

func closure(b []byte) func(string) bool {
	return func(s string) bool { return strings.HasPrefix(string(b), s) } // want `bytes.HasPrefix takes it`
}

func generic[T any](b []byte, _ T) bool { return strings.Contains(string(b), "x") } // want `bytes.Contains takes it`

func (p *packet) method() bool { return strings.HasPrefix(string(p.body), "GET ") } // want `bytes.HasPrefix takes it`

// The other argument could change b.
func impure(b []byte, next func() string) bool {
	return strings.HasPrefix(string(b), next()) // want `bytes.HasPrefix takes it`
}

func folds(s string) bool {
	return strings.ToLower(s) == "gzp" || "NONE" != strings.ToUpper(s) // want `strings.EqualFold compares it as it is` `EqualFold`
}
