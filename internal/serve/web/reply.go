package web

import (
	"bytes"
	"net/http"
)

// Bounds of the answers that are computed and wait for their readers. Tenants share the number
// equally.
const (
	mostHeld    = 4 << 20
	mostAnswers = 16
)

// reply holds the answer to a question until its end, so that a client that reads slowly keeps
// no turn to compute. One that is larger than mostHeld is sent while it is computed.
type reply struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
	passes bool
}

// WriteHeader implements http.ResponseWriter.
func (a *reply) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}

// Write implements http.ResponseWriter.
func (a *reply) Write(data []byte) (int, error) {
	if !a.passes && a.body.Len()+len(data) > mostHeld {
		a.send()
		a.passes = true
	}
	if a.passes {
		return a.ResponseWriter.Write(data)
	}
	return a.body.Write(data)
}

// drop forgets the beginning of an answer that has failed, unless it is sent.
func (a *reply) drop() {
	if !a.passes {
		a.status = 0
		a.body.Reset()
	}
}

// send sends an answer that is held. A client that is gone misses it.
func (a *reply) send() {
	if a.passes || a.status == 0 && a.body.Len() == 0 {
		return
	}
	if a.status != 0 {
		a.ResponseWriter.WriteHeader(a.status)
	}
	_, _ = a.ResponseWriter.Write(a.body.Bytes())
	a.body = bytes.Buffer{}
}
