package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// addHeader adds p's header to the sum's and finds p's columns in it.
func (m *Merger) addHeader(p *Profile) error {
	out := &m.out
	if out.Dict == nil {
		*out = *p
		out.Stacks, out.Labels, out.file = nil, nil, nil
		out.Values = make([][]int64, len(p.Values))
		out.Comments, out.Mappings, out.DurationNanos = nil, nil, 0
	}
	columns := m.columns[:0]
	for i, t := range out.SampleTypes {
		if i >= len(p.SampleTypes) || p.SampleTypes[i] != t {
			i = slices.Index(p.SampleTypes, t)
		}
		if i >= 0 {
			columns = append(columns, i)
		}
	}
	if len(columns) != len(out.SampleTypes) || len(columns) != len(p.SampleTypes) || p.PeriodType != out.PeriodType {
		return fmt.Errorf("profile %q has %s and %q has %s: they cannot be added up; merge profiles of one kind",
			p.Name, p.kind(), out.Name, out.kind())
	}
	m.columns = columns
	if p.TimeNanos != 0 && (out.TimeNanos == 0 || p.TimeNanos < out.TimeNanos) {
		out.TimeNanos = p.TimeNanos
	}
	out.DurationNanos += p.DurationNanos
	out.Period = max(out.Period, p.Period)
	out.DefaultSampleType = cmp.Or(out.DefaultSampleType, p.DefaultSampleType)
	out.DocURL = cmp.Or(out.DocURL, p.DocURL)
	out.Comments = appendNew(out.Comments, p.Comments)
	out.Mappings = appendNew(out.Mappings, p.Mappings)
	return nil
}

// appendNew appends values that are not in the list yet.
func appendNew[T comparable](list, more []T) []T {
	if len(more) == 0 {
		return list
	}
	known := make(map[T]bool, len(list)+len(more))
	for _, x := range list {
		known[x] = true
	}
	for _, x := range more {
		if !known[x] {
			known[x] = true
			list = append(list, x)
		}
	}
	return list
}

// kind describes the columns for a message.
func (p *Profile) kind() string {
	var names []string
	for _, t := range p.SampleTypes {
		names = append(names, fmt.Sprintf("%q", t.Type+"/"+t.Unit))
	}
	return fmt.Sprintf("[%s] per %q", strings.Join(names, " "), p.PeriodType.Type+"/"+p.PeriodType.Unit)
}
