package profile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
)

// parsePprof decodes as google/pprof does: by its protobuf decoder and its
// validity check, without the text formats that it tries next.
func parsePprof(raw []byte) (*pprof.Profile, error) {
	p, err := pprof.ParseUncompressed(raw)
	if err == nil {
		err = p.CheckValid()
	}
	return p, err
}

// kept returns the profile after a trip through google/pprof's own encoder, which
// drops parts without an encoding, such as labels that say nothing.
func kept(t testing.TB, p *pprof.Profile) *pprof.Profile {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteUncompressed(&b); err != nil {
		t.Fatal(err)
	}
	q, err := parsePprof(b.Bytes())
	if err != nil {
		t.Fatalf("google/pprof does not read what it wrote: %v", err)
	}
	return q
}

// viaPprof encodes p and reads it with google/pprof.
func viaPprof(t testing.TB, p *Profile) *pprof.Profile {
	t.Helper()
	var b bytes.Buffer
	if err := p.EncodeRaw(&b); err != nil {
		t.Fatal(err)
	}
	q, err := parsePprof(b.Bytes())
	if err != nil {
		t.Fatalf("google/pprof refuses what we wrote: %v", err)
	}
	return q
}

func decodeRaw(t testing.TB, raw []byte) *Profile {
	t.Helper()
	p, err := NewDecoder(Options{}).Decode("test", bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// wantSame compares all of two profiles, ids and order included.
func wantSame(t testing.TB, got, want *pprof.Profile) {
	t.Helper()
	g, w := dump(got), dump(want)
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("line %d of %d and %d:\ngot  %s\nwant %s", i, len(g), len(w), line(g, i), line(w, i))
		}
	}
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// dump writes a profile out in full, one line for each entry. Samples name
// locations by content, for two entries of one content are one to us.
func dump(p *pprof.Profile) []string {
	lines := []string{fmt.Sprintf("%q %q %q %d %d %d %q %q %q", p.DefaultSampleType, p.DropFrames, p.KeepFrames,
		p.TimeNanos, p.DurationNanos, p.Period, p.Comments, p.DocURL, []string{p.PeriodType.Type, p.PeriodType.Unit})}
	for _, st := range p.SampleType {
		lines = append(lines, fmt.Sprintf("type %q %q", st.Type, st.Unit))
	}
	lines = append(lines, dumpSamples(p)...)
	for _, m := range p.Mapping {
		lines = append(lines, fmt.Sprintf("mapping %d %s", m.ID, dumpMapping(m)))
	}
	for _, l := range p.Location {
		lines = append(lines, fmt.Sprintf("location %d %s", l.ID, dumpLocation(l)))
	}
	for _, f := range p.Function {
		lines = append(lines, fmt.Sprintf("function %d %s", f.ID, dumpFunction(f)))
	}
	return lines
}

func dumpSamples(p *pprof.Profile) []string {
	var lines []string
	locations := map[*pprof.Location]string{}
	for _, l := range p.Location {
		locations[l] = dumpLocation(l)
	}
	for _, s := range p.Sample {
		var b strings.Builder
		for _, l := range s.Location {
			b.WriteString(locations[l] + " < ")
		}
		fmt.Fprintf(&b, "%q %v ", s.Label, s.NumLabel)
		var units []string
		for k, u := range s.NumUnit {
			if slices.ContainsFunc(u, func(s string) bool { return s != "" }) {
				units = append(units, fmt.Sprintf("%q=%q", k, u))
			}
		}
		slices.Sort(units)
		fmt.Fprintf(&b, "%v = %d", units, s.Value)
		lines = append(lines, b.String())
	}
	return lines
}

func dumpMapping(m *pprof.Mapping) string {
	if m == nil {
		return "-"
	}
	return fmt.Sprintf("%x %x %x %q %q %t %t %t %t", m.Start, m.Limit, m.Offset, m.File, m.BuildID,
		m.HasFunctions, m.HasFilenames, m.HasLineNumbers, m.HasInlineFrames)
}

func dumpLocation(l *pprof.Location) string {
	s := fmt.Sprintf("%x %t %s", l.Address, l.IsFolded, dumpMapping(l.Mapping))
	for _, ln := range l.Line {
		s += fmt.Sprintf(" | %s %d %d", dumpFunction(ln.Function), ln.Line, ln.Column)
	}
	return s
}

func dumpFunction(f *pprof.Function) string {
	return fmt.Sprintf("%q %q %q %d", f.Name, f.SystemName, f.Filename, f.StartLine)
}
