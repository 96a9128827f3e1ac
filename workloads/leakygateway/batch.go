package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
)

// The load: the shape of the tenants' batches.
const (
	tenants    = 8
	hosts      = 40 // hosts of a tenant
	batchLines = 40
	restart    = 10 // one batch in so many comes from a pod that is new
)

// reported lists the metrics of a host.
var reported = []string{"cpu", "mem_used_bytes", "disk_read_seconds", "net_rx_packets", "http_requests"}

// tenant returns who sends batch i.
func tenant(i int) string { return fmt.Sprintf("tenant-%d", i%tenants) }

// appendBatch appends batch i, always the same for the same i.
func appendBatch(b []byte, i int) []byte {
	r := rand.New(rand.NewPCG(uint64(i), 1))
	pod := 0
	if i%restart == 0 {
		pod = i
	}
	for line := range batchLines {
		b = append(b, reported[r.IntN(len(reported))]...)
		b = append(b, ",region=eu-west-1,host=web-"...)
		b = strconv.AppendInt(b, int64(r.IntN(hosts)), 10)
		b = append(b, ",pod=checkout-"...)
		if line == 0 {
			b = strconv.AppendInt(b, int64(pod), 10)
		} else {
			b = append(b, '0')
		}
		b = append(b, ' ')
		b = strconv.AppendFloat(b, float64(r.IntN(1_000_000))/1000, 'f', -1, 64)
		b = append(b, ' ')
		b = strconv.AppendInt(b, 1_700_000_000+int64(i), 10)
		b = append(b, '\n')
	}
	return b
}
