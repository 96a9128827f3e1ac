package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// Pass asks the Pyroscope in the words of a client, whose request it is and whose body was read
// already. It returns the answer as it came.
func (s *Store) Pass(
	ctx context.Context, from *http.Request, body []byte,
) (status int, kind string, answer []byte, err error) {
	address := s.address + from.URL.EscapedPath()
	if from.URL.RawQuery != "" {
		address += "?" + from.URL.RawQuery
	}
	req, err := http.NewRequestWithContext(ctx, from.Method, address, bytes.NewReader(body))
	if err != nil {
		return 0, "", nil, err
	}
	for _, name := range []string{"Accept", "Connect-Protocol-Version", "Content-Type"} {
		if value := from.Header.Get(name); value != "" {
			req.Header.Set(name, value)
		}
	}
	resp, err := s.peer.do(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, mostForStore+1))
	switch {
	case err == nil && len(answer) > mostForStore:
		err = fmt.Errorf("%s: an answer of more than %d MiB", s.address, mostForStore>>20)
	case err == nil && 300 <= resp.StatusCode && resp.StatusCode < 400:
		err = fmt.Errorf("%s: it sends elsewhere: %s", s.address, resp.Status)
	}
	if err != nil {
		return 0, "", nil, remoteError{err}
	}
	return resp.StatusCode, resp.Header.Get("Content-Type"), answer, nil
}
