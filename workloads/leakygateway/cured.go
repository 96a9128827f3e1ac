package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/valyala/bytebufferpool"
)

// cured is the gateway without the faults.
type cured struct {
	upstream *upstream
	known    *cache
}

func newCured(up *upstream) *cured { return &cured{upstream: up, known: newCache(maxSeries)} }

func (g *cured) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, out := bytebufferpool.Get(), bytebufferpool.Get()
	defer bytebufferpool.Put(body)
	defer bytebufferpool.Put(out)
	if _, err := body.ReadFrom(http.MaxBytesReader(w, r.Body, maxBatch)); err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	if err := g.Process(r.PathValue("tenant"), body.B, out); err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	receipt, err := g.upstream.store(r.Context(), out.B)
	if err != nil {
		refuse(w, http.StatusBadGateway, err)
		return
	}
	answer(w, http.StatusOK, receipt)
}

// Process translates a batch to documents, one JSON object in a line of out.
func (g *cured) Process(tenant string, batch []byte, out *bytebufferpool.ByteBuffer) error {
	var d document
	encoder := json.NewEncoder(out)
	last := int64(-1) // seconds that d.Time stands for: the lines of a batch share them
	number := 0
	for line := range bytes.SplitSeq(batch, []byte("\n")) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		text, value, seconds, err := parse(line)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		s, err := g.known.series(tenant, text)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		if seconds != last {
			d.Time, last = time.Unix(seconds, 0).UTC().Format(time.RFC3339), seconds
		}
		d.Metric, d.Labels, d.Series, d.Shard, d.Tenant, d.Value = s.metric, s.labels, s.fingerprint, s.shard, s.tenant, value
		if err := encoder.Encode(&d); err != nil {
			return fmt.Errorf("series %s: %w", d.Series, err)
		}
	}
	return nil
}

// parse reads a line. The numbers are short, and so their strings stay on the stack.
func parse(line []byte) (series []byte, value float64, seconds int64, err error) {
	var fields [3][]byte
	n := 0
	for field := range bytes.FieldsSeq(line) {
		if n < len(fields) {
			fields[n] = field
		}
		n++
	}
	if n != len(fields) {
		return nil, 0, 0, errFields(n)
	}
	value, err = strconv.ParseFloat(string(fields[1]), 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, 0, 0, errValue(string(fields[1]))
	}
	seconds, err = strconv.ParseInt(string(fields[2]), 10, 64)
	if err != nil || seconds < 0 || seconds > maxTime {
		return nil, 0, 0, errTime(string(fields[2]))
	}
	return fields[0], value, seconds, nil
}
