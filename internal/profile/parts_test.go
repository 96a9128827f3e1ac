package profile

import (
	"bytes"
	"slices"
	"testing"

	gpprof "github.com/google/pprof/profile"
)

// Parts written one after the other are one profile, for other readers too, and go on
// where the parts end that were read.
func TestParts(t *testing.T) {
	for name, raw := range realProfiles() {
		want, err := NewDecoder(Options{}).DecodeBytes(name, raw)
		if err != nil {
			t.Fatal(name, err)
		}
		var all []byte
		parts, dict, got := NewParts(), want.Dict, want
		const pieces = 4
		for i := range pieces {
			from, to := want.Len()*i/pieces, want.Len()*(i+1)/pieces
			part := &Profile{Name: name, Dict: dict, SampleTypes: want.SampleTypes, Mappings: want.Mappings}
			part.Stacks, part.Labels = want.Stacks[from:to], want.Labels[from:to]
			for _, column := range want.Values {
				part.Values = append(part.Values, column[from:to])
			}
			b := parts.Next(part)
			all = append(all, b...)
			// A reader that has another dictionary writes the same part next.
			if got, err = NewDecoder(Options{}).DecodeBytes(name, all); err != nil {
				t.Fatal(name, i, err)
			}
			resumed, err := ResumeParts(got, all)
			if err != nil {
				t.Fatal(name, err)
			}
			if b := resumed.Next(&Profile{Dict: got.Dict, Mappings: got.Mappings, Stacks: got.Stacks,
				Labels: got.Labels, Values: got.Values}); bytes.Contains(b, []byte("profile.")) {
				t.Errorf("%s: symbols are written again", name)
			}
		}
		if !slices.Equal(textOf(got), textOf(want)) {
			t.Errorf("%s: the parts are another profile", name)
		}
		if _, err := gpprof.ParseData(all); err != nil {
			t.Errorf("%s: go tool pprof: %v", name, err)
		}
		if again := parts.Next(&Profile{Dict: dict}); len(again) != 0 {
			t.Errorf("%s: nothing new takes %d bytes", name, len(again))
		}
	}
}

// textOf returns the samples of a profile, without numbers of its dictionary.
func textOf(p *Profile) (all []string) {
	for i, stack := range p.Stacks {
		var b bytes.Buffer
		for f := range p.Dict.Frames(stack) {
			b.WriteString(p.Dict.FrameName(f))
			b.WriteByte(byte(f.Line.Line))
		}
		b.WriteString(p.Dict.LabelText(p.Labels[i], "request"))
		for _, column := range p.Values {
			b.WriteByte(byte(column[i]))
		}
		all = append(all, b.String())
	}
	return all
}
