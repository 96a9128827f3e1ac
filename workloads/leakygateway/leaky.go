package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// leaky is the gateway with the faults. The rule that diagnose should report for
// a line stands behind it, if the line is heavy enough to be seen in a few seconds.
type leaky struct {
	upstream *upstream
	mu       sync.Mutex
	known    map[string]*series
}

func newLeaky(up *upstream) *leaky {
	return &leaky{upstream: up, known: make(map[string]*series)}
}

func (g *leaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBatch)) // want: request-buffer
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	batch, err := g.Process(r.PathValue("tenant"), string(body)) // want: string-conversion or unbounded-growth or retention
	if err != nil {
		refuse(w, http.StatusBadRequest, err)
		return
	}
	receipt, err := g.upstream.store(r.Context(), []byte(batch)) // want: string-conversion
	if err != nil {
		refuse(w, http.StatusBadGateway, err)
		return
	}
	answer(w, http.StatusOK, receipt)
}

// Process translates a batch to documents, one JSON object in a line.
func (g *leaky) Process(tenant, batch string) (string, error) {
	var documents []*document
	for i, line := range strings.Split(batch, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		d, err := g.document(tenant, line)
		if err != nil {
			return "", fmt.Errorf("line %d: %w", i+1, err)
		}
		documents = append(documents, d)
	}
	var out []byte
	for _, d := range documents {
		line, err := json.Marshal(d) // want: encoder
		if err != nil {
			return "", fmt.Errorf("series %s: %w", d.Series, err)
		}
		out = append(out, line...) // want: append-without-room
		out = append(out, '\n')
	}
	return string(out), nil // want: string-conversion
}

// document translates a line.
func (g *leaky) document(tenant, line string) (*document, error) {
	fields := strings.Fields(line)
	if len(fields) != 3 {
		return nil, errFields(len(fields))
	}
	value, err := strconv.ParseFloat(fields[1], 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return nil, errValue(fields[1])
	}
	seconds, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil || seconds < 0 || seconds > maxTime {
		return nil, errTime(fields[2])
	}
	s, err := g.series(tenant, fields[0])
	if err != nil {
		return nil, err
	}
	labels := map[string]string{}
	for key, value := range s.labels {
		labels[key] = value // want: map-without-size
	}
	return &document{
		Metric: s.metric,
		Labels: labels,
		Series: s.fingerprint,
		Shard:  s.shard,
		Tenant: s.tenant,
		Time:   time.Unix(seconds, 0).UTC().Format(time.RFC3339),
		Value:  value,
	}, nil
}

// series returns a series, cached or new.
func (g *leaky) series(tenant, text string) (*series, error) {
	key := fmt.Sprintf("%s/%s", tenant, text) // want: formatting
	g.mu.Lock()
	defer g.mu.Unlock()
	if s, ok := g.known[key]; ok {
		return s, nil
	}
	s, err := newSeries(tenant, text)
	if err != nil {
		return nil, err
	}
	g.known[key] = s // want: unbounded-growth
	return s, nil
}
