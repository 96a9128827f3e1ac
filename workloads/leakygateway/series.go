package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// series is the metadata of one series of a tenant. It refers to the text from
// which it was parsed.
type series struct {
	tenant, text string
	metric       string
	labels       map[string]string
	fingerprint  string // the same for all ways to write the series
	shard        int    // a shard of the store upstream
}

// shards is how many the store upstream has.
const shards = 16

// newSeries reads the name of a series, METRIC,TAG=VALUE,TAG=VALUE.
func newSeries(tenant, text string) (*series, error) {
	metric, tags, _ := strings.Cut(text, ",")
	if metric == "" {
		return nil, fmt.Errorf("series %q has no metric: write METRIC,TAG=VALUE", text)
	}
	s := &series{tenant: tenant, text: text, metric: metric, labels: make(map[string]string, strings.Count(tags, ",")+1)}
	for tags != "" {
		var tag string
		tag, tags, _ = strings.Cut(tags, ",")
		key, value, ok := strings.Cut(tag, "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("series %q: tag %q: write TAG=VALUE", text, tag)
		}
		s.labels[key] = value
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q", tenant, metric)
	for _, key := range slices.Sorted(maps.Keys(s.labels)) {
		fmt.Fprintf(sum, " %q=%q", key, s.labels[key])
	}
	digest := sum.Sum(nil)
	s.fingerprint = hex.EncodeToString(digest[:8])
	s.shard = int(digest[0]) % shards
	return s, nil
}

// document is a reading as the store upstream takes it.
type document struct {
	Metric string            `json:"metric"`
	Labels map[string]string `json:"labels"`
	Series string            `json:"series"`
	Shard  int               `json:"shard"`
	Tenant string            `json:"tenant"`
	Time   string            `json:"time"`
	Value  float64           `json:"value"`
}

// Errors of a line, the same in both gateways.
func errFields(n int) error {
	return fmt.Errorf("%d fields: write SERIES VALUE UNIX-SECONDS", n)
}

func errValue(text string) error {
	return fmt.Errorf("value %q: write a finite number", text)
}

func errTime(text string) error {
	return fmt.Errorf("time %q: write seconds since 1970, up to the year 9999", text)
}

// maxTime is the last second that RFC 3339 can write.
const maxTime = 253402300799
