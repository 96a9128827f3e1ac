package main

import (
	"compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/workloads/program/service"
)

// maxBody bounds requests, as the collector does.
const maxBody = 20 << 20

// The encodings of OTLP over HTTP, by their content type.
const (
	protobufType = "application/x-protobuf"
	jsonType     = "application/json"
)

// A refusal is an answer over HTTP.
type refusal struct {
	status int
	error
}

// readBody returns the body of a request, decompressed.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	switch {
	case r.Method != http.MethodPost:
		return nil, refusal{http.StatusMethodNotAllowed, errors.New("use POST")}
	case r.Header.Get("Content-Type") != protobufType && !isJSON(r):
		return nil, refusal{http.StatusUnsupportedMediaType, errors.New("use Content-Type: " + protobufType + " or " + jsonType)}
	}
	body := io.Reader(http.MaxBytesReader(w, r.Body, maxBody))
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(body)
		if err != nil {
			return nil, err
		}
		body = z
	}
	data, err := io.ReadAll(io.LimitReader(body, maxBody+1))
	switch {
	case errors.As(err, new(*http.MaxBytesError)) || len(data) > maxBody:
		return nil, refusal{http.StatusRequestEntityTooLarge, errors.New("the request is larger than 20 MiB")}
	case errors.As(err, new(net.Error)): // it names an address of this side
		return nil, refusal{http.StatusRequestTimeout, errors.New("the request did not arrive whole")}
	}
	return data, err
}

func isJSON(r *http.Request) bool { return r.Header.Get("Content-Type") == jsonType }

// encode encodes a response as its request was.
func encode(r *http.Request, response proto.Message) ([]byte, error) {
	if isJSON(r) {
		return protojson.Marshal(response)
	}
	return proto.Marshal(response)
}

// answer answers in the encoding of the request.
func answer(w http.ResponseWriter, r *http.Request, data []byte) {
	w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
	w.Write(data) // a client that has gone needs no answer
}

// refuse answers with the error's own status, else 400.
func refuse(w http.ResponseWriter, err error) {
	var r refusal
	if !errors.As(err, &r) {
		r = refusal{http.StatusBadRequest, err}
	}
	text := service.Reason(err)
	if s, ok := status.FromError(err); ok {
		text = s.Message()
	}
	http.Error(w, text, r.status)
}
