package rules

import (
	"strings"
	"testing"
)

const encodes = `package main

import (
	"compress/gzip"
	"encoding/json"
	"io"
)

func send(w io.Writer, v any) error {
	zw := gzip.NewWriter(w)
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = zw.Write(data)
	return err
}

func main() {}
`

func TestEncoder(t *testing.T) {
	t.Run("json", func(t *testing.T) {
		s := newScene(t, encodes)
		s.churn("encoding/json.Marshal", s.frame("send", "json.Marshal"))
		f := s.wants("encoder", "json.Marshal")
		has(t, f.Title, "json.Marshal")
		has(t, f.Remedy, "buffer")
	})
	t.Run("json that there was no time to follow", func(t *testing.T) {
		s := newScene(t, encodes)
		s.late = true
		s.churn("encoding/json.Marshal", s.frame("send", "json.Marshal"))
		f := s.wants("encoder", "json.Marshal")
		has(t, f.Remedy, "It is not known whether anything can be used again here: the budget ended")
		if strings.Contains(f.Remedy, "Nothing can be used again") {
			t.Error(f.Remedy)
		}
	})
	t.Run("a writer that is made anew", func(t *testing.T) {
		s := newScene(t, encodes)
		s.churn("compress/gzip.(*Writer).Write", s.frame("send", "zw.Write"))
		f := s.wants("encoder", "zw.Write")
		has(t, f.Title, "created again at line 10")
		has(t, f.Example, "Reset")
	})
	t.Run("protobuf", func(t *testing.T) {
		s := newScene(t, encodes).without()
		s.churn("google.golang.org/protobuf/proto.Marshal@/home/gopher/go/pkg/mod/google.golang.org/protobuf@v1.36.12/proto/encode.go:43", s.frame("send", "json.Marshal"))
		f := s.wants("encoder", "json.Marshal")
		has(t, f.Title, "garbage of proto.Marshal")
		has(t, f.Example, "MarshalAppend(dst")
	})
	t.Run("a clone is encoded nowhere", func(t *testing.T) {
		s := newScene(t, encodes).without()
		s.churn("google.golang.org/protobuf/proto.Clone@/home/gopher/go/pkg/mod/google.golang.org/protobuf@v1.36.12/proto/merge.go:43", s.frame("send", "json.Marshal"))
		f := s.wants("encoder", "json.Marshal")
		has(t, f.Remedy, "Share messages that nobody changes")
		has(t, f.Risk, "Low.")
	})
	t.Run("protobuf's JSON", func(t *testing.T) {
		s := newScene(t, encodes).without()
		s.churn("google.golang.org/protobuf/encoding/protojson.MarshalOptions.Marshal@/home/gopher/go/pkg/mod/google.golang.org/protobuf@v1.36.12/encoding/protojson/encode.go:9", s.frame("send", "json.Marshal"))
		has(t, s.wants("encoder", "json.Marshal").Example, "protojson.MarshalOptions{}.MarshalAppend")
	})
	t.Run("an expression that is compiled in each call", func(t *testing.T) {
		s := newScene(t, encodes).without()
		s.churn("regexp.Compile@/go/src/regexp/regexp.go:9 regexp.MatchString@/go/src/regexp/regexp.go:1", s.frame("send", "json.Marshal"))
		f := s.wants("encoder", "json.Marshal")
		has(t, f.Remedy, "Compile the expression once")
		has(t, f.Risk, "Low.")
	})
	t.Run("a method of an expression", func(t *testing.T) {
		s := newScene(t, encodes).without()
		s.churn("regexp.(*Regexp).FindAllString", s.frame("send", "json.Marshal"))
		has(t, s.wants("encoder", "json.Marshal").Remedy, "indices")
	})
	t.Run("an encoder that is not known better", func(t *testing.T) {
		s := newScene(t, encodes).without()
		s.churn("gopkg.in/yaml.v3.Marshal@/home/gopher/go/pkg/mod/gopkg.in/yaml.v3@v3.0.1/yaml.go:1", s.frame("send", "json.Marshal"))
		has(t, s.wants("encoder", "json.Marshal").Example, "once for each writer")
	})
	t.Run("without source", func(t *testing.T) {
		s := newScene(t, encodes).without()
		s.churn("regexp.MustCompile", s.frame("send", "json.Marshal"))
		has(t, s.wants("encoder", "json.Marshal").Remedy, "once")
	})
}

// The answer fits the function that is called.
func TestEncoderRemedyFitsTheCallee(t *testing.T) {
	for callee, want := range map[string]string{
		"encoding/json.(*Decoder).Decode":     "call json.Unmarshal",
		"encoding/json.(*Encoder).Encode":     "Name only the fields that are needed, or generate the code. If an encoder is made",
		"encoding/xml.(*Decoder).Token":       "A Decoder cannot be used again",
		"regexp.(*Regexp).FindAllStringIndex": "It returns indices already",
		"regexp.(*Regexp).FindAllString":      "Ask for indices",
		"compress/gzip.NewReader":             "40 KiB",
		"encoding/json.MarshalIndent":         "Indent only text that people read",
		"encoding/xml.NewEncoder":             "*bufio.Writer from a pool",
		"encoding/xml.Marshal":                "*bufio.Writer from a pool",
		"regexp.MustCompile":                  "in a field beside the value",
	} {
		t.Run(callee, func(t *testing.T) {
			s := newScene(t, encodes)
			s.churn(callee, s.frame("send", "json.Marshal"))
			has(t, s.wants("encoder", "json.Marshal").Remedy, want)
		})
	}
}
