package main

import (
	"bufio"
	"context"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// drive sends the gateway at addr n batches from so many callers at a time, each
// with a connection of its own, and prints memory use, GC pauses and latency. It
// allocates little, so that the figures of the process are the gateway's.
func drive(ctx context.Context, stdout io.Writer, addr string, n, callers int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	latencies := make([]time.Duration, n)
	var next, check atomic.Int64 // check is a sum, so that order does not matter
	var wait sync.WaitGroup
	for range min(callers, n) {
		wait.Go(func() {
			c, err := dial(addr)
			if err != nil {
				cancel(err)
				return
			}
			defer c.conn.Close()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				began := time.Now()
				sum, err := c.send(i)
				if err != nil {
					cancel(err)
					return
				}
				latencies[i] = time.Since(began)
				check.Add(int64(sum))
			}
		})
	}
	wait.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "%d batches of %d lines\t check: %016x\n%s", n, batchLines, check.Load(), measure(latencies))
	return err
}

// caller sends one request at a time over its connection.
type caller struct {
	conn             net.Conn
	reader           *bufio.Reader
	request, content []byte
}

func dial(addr string) (*caller, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("sending to itself: %w", err)
	}
	return &caller{conn: conn, reader: bufio.NewReader(conn)}, nil
}

// send posts batch i and returns the checksum of the answer.
func (c *caller) send(i int) (uint32, error) {
	c.content = appendBatch(c.content[:0], i)
	c.request = append(c.request[:0], "POST /v1/"...)
	c.request = append(c.request, tenant(i)...)
	c.request = append(c.request, "/readings HTTP/1.1\r\nHost: gateway\r\nContent-Length: "...)
	c.request = strconv.AppendInt(c.request, int64(len(c.content)), 10)
	c.request = append(c.request, "\r\n\r\n"...)
	c.request = append(c.request, c.content...)
	if _, err := c.conn.Write(c.request); err != nil {
		return 0, fmt.Errorf("batch %d: %w", i, err)
	}
	resp, err := http.ReadResponse(c.reader, nil)
	if err != nil {
		return 0, fmt.Errorf("batch %d: %w", i, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, fmt.Errorf("batch %d: %w", i, err)
	}
	if resp.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("batch %d: status %s: %s", i, resp.Status, body)
	}
	return crc32.ChecksumIEEE(body), nil
}
