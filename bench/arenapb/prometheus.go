package main

import (
	"fmt"

	prompb "buf.build/gen/go/prometheus/prometheus/protocolbuffers/go"
	writev2 "github.com/prometheus/client_golang/exp/api/remote/genproto/v2"
)

// series returns a request of a Prometheus server that scraped n series.
func series(n int) *prompb.WriteRequest {
	request := new(prompb.WriteRequest)
	for i := range n {
		s := &prompb.TimeSeries{Samples: []*prompb.Sample{{Value: float64(i) * 1.25, Timestamp: 1700000000000 + int64(i)}}}
		for _, l := range [][2]string{
			{"__name__", "http_server_request_duration_seconds_bucket"}, {"cluster", "eu-west-1"}, {"namespace", "shop"}, {"job", "checkout"},
			{"instance", fmt.Sprintf("10.0.%d.17:8080", i%50)}, {"pod", fmt.Sprintf("checkout-7d9f-%d", i%50)}, {"method", "GET"},
			{"route", fmt.Sprintf("/users/%d", i%20)}, {"status", "200"}, {"le", fmt.Sprint(0.005 * float64(i%12))},
		} {
			s.Labels = append(s.Labels, &prompb.Label{Name: l[0], Value: l[1]})
		}
		request.Timeseries = append(request.Timeseries, s)
	}
	return request
}

// symbols returns the same series in version 2.0 of the protocol, whose labels
// refer to a table of strings.
func symbols(v1 *prompb.WriteRequest) *writev2.Request {
	request := &writev2.Request{Symbols: []string{""}}
	refs := map[string]uint32{"": 0}
	ref := func(s string) uint32 {
		if _, ok := refs[s]; !ok {
			refs[s] = uint32(len(request.Symbols))
			request.Symbols = append(request.Symbols, s)
		}
		return refs[s]
	}
	for _, s := range v1.Timeseries {
		t := &writev2.TimeSeries{Metadata: &writev2.Metadata{Type: writev2.Metadata_METRIC_TYPE_HISTOGRAM, UnitRef: ref("seconds")}}
		for _, l := range s.Labels {
			t.LabelsRefs = append(t.LabelsRefs, ref(l.Name), ref(l.Value))
		}
		for _, v := range s.Samples {
			t.Samples = append(t.Samples, &writev2.Sample{Value: v.Value, Timestamp: v.Timestamp})
		}
		request.Timeseries = append(request.Timeseries, t)
	}
	return request
}
