package main

import (
	"fmt"

	profile "github.com/grafana/pyroscope/api/gen/proto/go/google/v1"
)

// cpuProfile returns a profile of n stacks, whose 20 locations each are among
// 1,000.
func cpuProfile(n int) *profile.Profile {
	const locations, depth = 1000, 20
	p := &profile.Profile{
		SampleType:  []*profile.ValueType{{Type: 1, Unit: 2}, {Type: 3, Unit: 4}},
		Mapping:     []*profile.Mapping{{Id: 1, MemoryStart: 0x400000, MemoryLimit: 0x900000, Filename: 5, HasFunctions: true}},
		StringTable: []string{"", "samples", "count", "cpu", "nanoseconds", "/usr/bin/checkout", "endpoint", "/users/{id}"},
		TimeNanos:   1700000000000000000, DurationNanos: 10e9, PeriodType: &profile.ValueType{Type: 3, Unit: 4}, Period: 10e6,
	}
	for i := range uint64(locations) {
		text := int64(len(p.StringTable))
		p.StringTable = append(p.StringTable, fmt.Sprintf("example.com/checkout/internal/orders.(*Service).step%d", i), fmt.Sprintf("/src/internal/orders/step%d.go", i))
		p.Function = append(p.Function, &profile.Function{Id: i + 1, Name: text, SystemName: text, Filename: text + 1, StartLine: 10})
		p.Location = append(p.Location, &profile.Location{Id: i + 1, MappingId: 1, Address: 0x400000 + 97*i, Line: []*profile.Line{{FunctionId: i + 1, Line: int64(10 + i%100)}}})
	}
	for i := range uint64(n) {
		s := &profile.Sample{Value: []int64{int64(1 + i%7), int64(1+i%7) * 10e6}, Label: []*profile.Label{{Key: 6, Str: 7}}}
		for frame := range uint64(depth) {
			s.LocationId = append(s.LocationId, 1+(i*frame*31+frame)%locations)
		}
		p.Sample = append(p.Sample, s)
	}
	return p
}
