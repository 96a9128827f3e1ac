package diagnose

// Range is a share between two bounds, each from 0 to 1.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Plus adds shares that can be saved together.
func (r Range) Plus(s Range) Range {
	return Range{min(r.Low+s.Low, 1), min(r.High+s.High, 1)}
}

// Times returns a part of the share, for a remedy that removes only so much.
func (r Range) Times(low, high float64) Range { return Range{r.Low * low, r.High * high} }

// Middle returns the share half way.
func (r Range) Middle() float64 { return (r.Low + r.High) / 2 }

// Confidence says how sure a rule is of the cause; how much it would save is
// what the ranges say.
type Confidence string

// Confidences.
const (
	High   Confidence = "high"   // the profile or the compiler names the cause itself
	Medium Confidence = "medium" // several signs agree
	Low    Confidence = "low"    // it looks like it
)

// Frame is one level of a call path.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"` // 0 is unknown
}

// Figure is a number that a finding rests on.
type Figure struct {
	Name  string  `json:"name"` // for people: "allocated", "survives"
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"` // "bytes", "bytes/s", "objects", "fraction", "seconds" …
}

// Finding is one thing to change.
type Finding struct {
	Rule       string     `json:"rule"`
	File       string     `json:"file"` // "" where it is about the whole program
	Line       int        `json:"line"`
	Function   string     `json:"function"`
	Title      string     `json:"title"`            // the fault in a few words
	Source     string     `json:"source,omitempty"` // the line's text
	Path       []Frame    `json:"path,omitempty"`   // the heaviest call path, the leaf first
	Change     *Frame     `json:"change,omitempty"` // the line to change, where it is not the line that allocates
	Root       *Frame     `json:"root,omitempty"`   // where an arena should begin and end
	Escape     string     `json:"escape,omitempty"` // why the compiler put it on the heap
	Evidence   []Figure   `json:"evidence,omitempty"`
	Remedy     string     `json:"remedy"`
	Example    string     `json:"example,omitempty"` // Go code, several lines
	Risk       string     `json:"risk,omitempty"`
	Confidence Confidence `json:"confidence"`
	CPU        Range      `json:"cpu"`              // share of the process's CPU time that the remedy saves
	Memory     Range      `json:"memory"`           // share of the live heap that it saves
	Others     []Finding  `json:"others,omitempty"` // what else the line does, each with its own savings

	share float64 // of all bytes allocated, or of all goroutines, where no profile says what they cost
}

// Ceiling is what findings are ranked by: the larger of the most that it could
// save of CPU and of memory.
func (f *Finding) Ceiling() float64 { return max(f.CPU.High, f.Memory.High) }
