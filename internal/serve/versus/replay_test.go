package versus

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	pprof "github.com/google/pprof/profile"
	"github.com/heapwright/heapwright/internal/profile"
)

// real is a profile that a program wrote, whose processes are drawn again and again.
type real struct {
	*profile.Profile
	column int
}

// readReal reads a profile, after a change of its functions.
func readReal(t testing.TB, change func(*pprof.Profile)) real {
	t.Helper()
	data, err := os.ReadFile("../../cost/testdata/go1.26.8.pb.gz")
	if err != nil {
		t.Fatal(err)
	}
	p, err := pprof.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(p)
	}
	return decode(t, p)
}

// decode reads a profile as serve does.
func decode(t testing.TB, p interface{ Write(io.Writer) error }) real {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	decoded, err := profile.NewDecoder(profile.Options{}).DecodeBytes("real", b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	column, ok := decoded.Column("cpu")
	if !ok {
		t.Fatal("no CPU profile")
	}
	return real{decoded, column}
}

// release gives functions the names that Go 1.27 gives them.
func release(p *pprof.Profile) {
	for _, f := range p.Function {
		f.Name = strings.Replace(f.Name, "mallocgcSmallScanNoHeader", "mallocgcSmallScanNoHeaderSC5", 1)
		f.Name = strings.Replace(f.Name, "mallocgcSmallNoscan", "mallocgcSmallNoScanSC3", 1)
		if i := strings.Index(f.Name, ".func"); i > 0 && strings.HasPrefix(f.Name, "main.") {
			f.Name = "_" + f.Name[len("main"):i] + ".func7"
		}
	}
}

// planted is a function that costs more in a version, as a share of all.
type planted struct {
	row   int // of the profile's samples
	share float64
}

// draw returns the profile of a process: so many samples, each as likely as it was in the
// real one. Processes differ in each function by 5% and in load by 20%, and work in
// proportion to the load.
func (r real) draw(rng *rand.Rand, samples int, extra planted) Process {
	weights := make([]float64, r.Len())
	sum, total := 0.0, 0.0
	for _, v := range r.Values[r.column] {
		total += float64(v)
	}
	for i, v := range r.Values[r.column] {
		weights[i] = float64(v) / total
		if i == extra.row {
			weights[i] += extra.share
		}
		weights[i] *= math.Exp(0.05 * rng.NormFloat64())
		sum += weights[i]
	}
	load := math.Exp(0.2 * rng.NormFloat64())
	p := *r.Profile
	p.Period = 1
	p.Values = make([][]int64, len(r.Values))
	for t := range p.Values {
		p.Values[t] = make([]int64, r.Len())
	}
	for i, w := range weights {
		p.Values[r.column][i] = poisson(rng, w*load*float64(samples))
	}
	return Process{Profile: &p, Work: load * 1e6}
}

// poisson draws a number of samples.
func poisson(rng *rand.Rand, mean float64) int64 {
	if mean > 100 {
		return max(0, int64(math.Round(mean+math.Sqrt(mean)*rng.NormFloat64())))
	}
	n, p := int64(-1), 1.0
	for limit := math.Exp(-mean); p > limit; n++ {
		p *= rng.Float64()
	}
	return max(0, n)
}

func (r real) draws(rng *rand.Rand, n, samples int, extra planted, perWork bool) (all []Process) {
	for range n {
		p := r.draw(rng, samples, extra)
		if !perWork {
			p.Work = 0
		}
		all = append(all, p)
	}
	return all
}

var none = planted{row: -1}

// own returns samples whose innermost function is the program's, one for each function.
func (r real) own() (rows []int) {
	seen := map[profile.FunctionID]bool{}
	for i, stack := range r.Stacks {
		for f := range r.Dict.Frames(stack) {
			if strings.HasPrefix(r.Dict.FunctionName(f.Function), "main.") {
				if !seen[f.Function] {
					rows = append(rows, i)
				}
				seen[f.Function] = true
				break
			}
		}
	}
	return rows
}

const (
	replicas = 10 // of each version
	// inHalfAnHour is how many samples a process with a busy core has in the CPU profiles of
	// half an hour: 5 s in 5 min, at 100 Hz.
	inHalfAnHour = 3000
)

// A function that takes 3% more of the CPU time or 5% more bytes is reported, and named.
func TestPlantedRegressions(t *testing.T) {
	r := readReal(t, nil)
	own := r.own()
	for _, share := range []float64{0.03, 0.05} {
		for _, perWork := range []bool{true, false} {
			found := 0
			for run := range 20 {
				rng := rand.New(rand.NewPCG(uint64(run), 7))
				row := own[run%len(own)]
				before := r.draws(rng, replicas, inHalfAnHour, none, perWork)
				after := r.draws(rng, replicas, inHalfAnHour, planted{row, share}, perWork)
				got, err := Compare(before, after, Options{Column: "cpu"})
				if err != nil {
					t.Fatal(err)
				}
				named := ""
				for f := range r.Dict.Frames(r.Stacks[row]) {
					if name := r.Dict.FunctionName(f.Function); strings.HasPrefix(name, "main.") {
						named = name
						break
					}
				}
				if len(got.Changes) > 0 && got.Changes[0].Confirmed() && got.Changes[0].Function == named {
					found++
				} else {
					t.Logf("%v of %s: %s", share, named, texts(got.Changes))
				}
			}
			t.Logf("+%v, per request %v: %d of 20", share, perWork, found)
			// Without requests half of the service's cost has to stay as it was. The program has a
			// function that is more than half of it.
			if want := map[bool]int{true: 18, false: 15}[perWork]; found < want {
				t.Errorf("+%v, per request %v: %d of 20 are found", share, perWork, found)
			}
		}
	}
}

// Equal versions are equal, whatever release of Go built them.
func TestEqualVersions(t *testing.T) {
	old, newer := readReal(t, nil), readReal(t, release)
	reports := 0
	for run := range 100 {
		rng := rand.New(rand.NewPCG(uint64(run), 8))
		after := old
		if run%5 == 0 {
			after = newer
		}
		counted := run%2 == 0
		got, err := Compare(old.draws(rng, replicas, inHalfAnHour, none, counted), after.draws(rng, replicas, inHalfAnHour, none, counted), Options{Column: "cpu"})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range got.Changes {
			if c.Confirmed() {
				t.Logf("run %d: %s", run, texts([]*Change{c}))
				reports++
			}
		}
	}
	if reports > 1 {
		t.Errorf("%d false reports in 100 runs", reports)
	}
}

func texts(all []*Change) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s:%d %s %.4f [%.4f, %.4f] moved %q gone %v; ", c.Function, c.Line, c.Verdict, c.Effect(), c.Low, c.High, c.Moved, c.Gone)
	}
	return b.String()
}

// A function with another name, and one that was cut in two, is no regression.
func TestCostsThatMoved(t *testing.T) {
	r := readReal(t, nil)
	name := "" // of the heaviest function but main
	weight := map[string]int64{}
	for i, stack := range r.Stacks {
		for f := range r.Dict.Frames(stack) {
			if n := r.Dict.FunctionName(f.Function); strings.HasPrefix(n, "main.") && !strings.Contains(n, "func") && n != "main.main" {
				if weight[n] += r.Values[r.column][i]; weight[n] > weight[name] {
					name = n
				}
				break
			}
		}
	}
	renamed := readReal(t, func(p *pprof.Profile) {
		for _, f := range p.Function {
			if f.Name == name {
				f.Name, f.SystemName = "main.renamed", "main.renamed"
			}
		}
	})
	rng := rand.New(rand.NewPCG(1, 9))
	got, err := Compare(r.draws(rng, replicas, inHalfAnHour, none, true), renamed.draws(rng, replicas, inHalfAnHour, none, true), Options{Column: "cpu"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Changes) == 0 || got.Changes[0].Function != "main.renamed" || got.Changes[0].Moved == "" {
		t.Errorf("%s was renamed: %s", name, texts(got.Changes))
	}
	for _, c := range got.Changes {
		if c.Confirmed() {
			t.Errorf("a regression: %s", texts([]*Change{c}))
		}
	}
}

// Too few processes are no sample.
func TestFewProcesses(t *testing.T) {
	r := readReal(t, nil)
	rng := rand.New(rand.NewPCG(1, 10))
	for _, c := range []struct {
		before, after int
		enough        bool
	}{{4, 4, false}, {5, 5, true}, {20, 2, true}, {1, 50, false}, {0, 10, false}} {
		_, err := Compare(r.draws(rng, c.before, 100, none, false), r.draws(rng, c.after, 100, none, false), Options{Column: "cpu"})
		if (err == nil) != c.enough {
			t.Errorf("%d and %d: %v", c.before, c.after, err)
		}
	}
}
