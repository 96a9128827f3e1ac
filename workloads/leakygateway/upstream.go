package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/heapwright/heapwright/workloads/program/service"
)

// upstream is the store behind the gateway: a server with its own listener on
// loopback, and the client for it.
type upstream struct {
	url    string
	server *http.Server
	client *http.Client
}

func startUpstream() (*upstream, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("store: %w: the gateway needs a free port on loopback", err)
	}
	u := &upstream{
		url:    "http://" + listener.Addr().String() + "/",
		server: service.HTTP(http.HandlerFunc(receive)),
		client: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 256}},
	}
	go u.server.Serve(listener)
	return u, nil
}

func (u *upstream) close() {
	u.client.CloseIdleConnections()
	u.server.Close()
}

// blocks holds the store's read buffers. They are pooled so that the store, which
// is not under study here, makes no garbage of its own.
var blocks = sync.Pool{New: func() any { return new([8 << 10]byte) }}

// receive takes a batch and answers with a receipt: its length and checksum.
func receive(w http.ResponseWriter, r *http.Request) {
	block := blocks.Get().(*[8 << 10]byte)
	defer blocks.Put(block)
	sum, length := uint32(0), 0
	for {
		n, err := r.Body.Read(block[:])
		sum = crc32.Update(sum, crc32.IEEETable, block[:n])
		length += n
		if err == io.EOF {
			break
		}
		if err != nil {
			http.Error(w, service.Reason(err), http.StatusBadRequest)
			return
		}
	}
	answer(w, http.StatusOK, fmt.Appendf(nil, "{\"stored\":%d,\"crc32\":\"%08x\"}\n", length, sum))
}

// store sends a batch and returns its receipt. When it returns, the batch is
// not read any more.
func (u *upstream) store(ctx context.Context, batch []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.url, nil)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if len(batch) > 0 {
		var lent loan
		defer lent.returned.Wait()
		req.ContentLength = int64(len(batch))
		req.Body = lent.reader(batch)
		req.GetBody = func() (io.ReadCloser, error) { return lent.reader(batch), nil }
	}
	resp, err := u.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("store: status %s", resp.Status)
	}
	receipt, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return receipt, nil
}

// loan knows when bytes that were lent to net/http are returned: a transport
// may read a body until it closes it, which can be after Do has returned.
type loan struct{ returned sync.WaitGroup }

func (l *loan) reader(b []byte) io.ReadCloser {
	l.returned.Add(1)
	return &lentReader{Reader: bytes.NewReader(b), close: sync.OnceFunc(l.returned.Done)}
}

type lentReader struct {
	*bytes.Reader
	close func()
}

func (r *lentReader) Close() error {
	r.close()
	return nil
}
