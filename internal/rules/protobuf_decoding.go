package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heapwright/heapwright/internal/evidence"
	"github.com/heapwright/heapwright/internal/flow"
	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/rules/finding"
	"github.com/heapwright/heapwright/internal/source"
)

var protobufDecoding = &finding.Rule{
	Name:  "protobuf-decoding",
	Title: "protobuf messages are decoded onto the heap",
	Doc: `Finds allocations of proto.Unmarshal, called by the program or by the codec of its gRPC server, and of
protojson.Unmarshal: by the call path and survival. If next to nothing of the messages survives, and the source shows
that they die with a call or that no handler keeps its request, it proposes to decode them into arenas and shows the
lines to change. It concerns generated code that protobuf's own runtime decodes, neither dynamicpb nor code with its
own Unmarshal method, as gogo generates it. Messages that are kept have to be copied.`,
	Remedy:  decodeLess,
	Example: "err := proto.Unmarshal(data, &summary) // a message with the fields that are read",
	Risk:    "Low.",
	Callees: []string{protoUnmarshal, protojsonUnmarshal},
	Find:    findProtobufDecoding,
}

// decodeLess is the remedy for messages that are kept.
const decodeLess = "Decode once what is needed more than once, and leave fields that nobody reads out of the message."

// They begin the names of the functions that decode.
const (
	protoUnmarshal     = "google.golang.org/protobuf/proto.Unmarshal"
	protojsonUnmarshal = "google.golang.org/protobuf/encoding/protojson.Unmarshal"
)

// decodingSaves is the share of the allocations' cost that an arena saves; the
// rest is text that stays on the heap.
var decodingSaves = evidence.Range{Low: 0.6, High: 1}

// fewServers is how many lines that make servers a finding lists.
const fewServers = 4

// decodingWork is the share of the decoder's own work that goes with it
// (docs/results/arenapb.md).
const decodingWork = 0.7

func findProtobufDecoding(e *evidence.Evidence, causes []finding.Cause) []finding.Finding {
	var all []finding.Finding
	for i := range causes {
		c := &causes[i]
		if !c.Dies() {
			continue
		}
		f := finding.Propose(e, c, decodingSaves)
		f.Title = "garbage of " + profile.ShortName(c.Callee)
		root, kept := decodedWithin(e, c)
		best := flow.Fate{}
		if kept.Kept != "" {
			best = finding.FateAtBest(e, c)
		}
		switch {
		case root.Function != "":
			f.CPU.High = min(1, f.CPU.High+c.Work*decodingWork)
			decodeInArena(&f, c, root)
		case best.Dies:
			f.CPU = evidence.Range{High: min(1, f.CPU.High+c.Work*decodingWork)}
			decodeInArena(&f, c, c.Site.Frame)
			unless(&f, best.Kept)
		default:
			f.CPU.Low = 0 // the profile does not show how much of it is needed
			if kept.Kept != "" {
				f.Remedy = finding.Because("No arena", "an arena can hold them", kept) + " " + decodeLess
			}
		}
		if f.Significant() {
			all = append(all, f)
		}
	}
	if f := findServer(e); f.Significant() {
		all = append(all, f)
	}
	return all
}

// decodedWithin returns the function that the messages of a site do not outlive, if the flow
// shows one and the profiles agree. Otherwise it returns the reason against it, if that is
// known.
func decodedWithin(e *evidence.Evidence, c *finding.Cause) (root evidence.Frame, kept flow.Fate) {
	if c.Alloc.Bytes == 0 || c.Live.Bytes > c.Alloc.Bytes*maxSurviving || !mostlyGenerated(e, c) {
		return root, kept
	}
	followed, others := follow(e, []finding.Cause{*c})
	if len(others) > 0 {
		return root, others[0].kept
	}
	region, _ := findRoot(e, followed)
	return region.root, kept
}

// unless makes a remedy conditional on code that was not followed.
func unless(f *finding.Finding, kept string) {
	f.Confidence = evidence.Low
	f.Title, _, _ = strings.Cut(f.Title, ":")
	f.Remedy = "First find out whether messages are kept, because " + kept + ". Where they are not: " + strings.ToLower(f.Remedy[:1]) + f.Remedy[1:]
}

// decodeInArena is the remedy for a call of proto.Unmarshal, or of protojson's, whose
// messages die with a call of root.
func decodeInArena(f *finding.Finding, c *finding.Cause, root evidence.Frame) {
	call, instead := "proto.Unmarshal(", "arenapb.Unmarshal("
	if inJSON(c) {
		call, instead = "protojson.Unmarshal(", "arenapb.UnmarshalJSON("
	}
	name := profile.ShortName(root.Function)
	f.Title += ": the messages die in " + name
	f.Root = &root
	f.Remedy = "Decode into an arena that " + name + " begins and ends: " + strings.TrimSuffix(instead, "(") + " fills the same generated types. " +
		"A handler of OTLP over HTTP gets this from otlphttp.NewHandler."
	line := "err := " + instead + "a, data, message)"
	if strings.Contains(f.Source, call) {
		line = strings.Replace(f.Source, call, instead+"a, ", 1)
	}
	f.Example = "// with github.com/heapwright/heapwright/arena and arena/arenapb:\n" +
		"var pool arena.Pool // of the package\n\n" +
		"// in " + name + ":\na := pool.Get()\ndefer a.Free()\n\n// here:\n" + line
	f.Risk = "Messages must not be used after Free; their strings and bytes may be kept. Copy messages that are kept with arenapb.Promote; " +
		"tests with -race report uses after Free. If no text is kept either, UnmarshalOptions.Text: " +
		"arena.TextArena saves its block, too."
}

// generated reports whether a path decodes generated code with the tables of
// protobuf's runtime.
func generated(path []evidence.Frame) bool {
	const impl = "google.golang.org/protobuf/internal/impl."
	tables := false
	for _, f := range path {
		if strings.HasPrefix(f.Function, impl+"legacy") {
			return false // the message's own method
		}
		tables = tables || strings.HasPrefix(f.Function, impl+"(*MessageInfo).unmarshal")
	}
	return tables
}

// inJSON reports whether a cause is protojson.Unmarshal.
func inJSON(c *finding.Cause) bool { return strings.HasPrefix(c.Callee, protojsonUnmarshal) }

// generatedJSON is generated for protojson, which decodes by reflection: values of other
// messages, and of well-known types, have paths of their own.
func generatedJSON(path []evidence.Frame) bool {
	for _, f := range path {
		if strings.HasPrefix(f.Function, "google.golang.org/protobuf/types/dynamicpb.") || strings.HasPrefix(f.Function, "google.golang.org/protobuf/internal/impl.legacy") {
			return false
		}
		switch strings.TrimPrefix(f.Function, "google.golang.org/protobuf/encoding/protojson.decoder.unmarshal") {
		case "Any", "Timestamp", "Duration", "Struct", "ListValue", "KnownValue", "FieldMask", "WrapperType":
			return false
		}
	}
	return true
}

// mostlyGenerated reports whether a cause decodes mostly into generated code.
func mostlyGenerated(e *evidence.Evidence, c *finding.Cause) bool {
	callee, fit := protoUnmarshal, generated
	if inJSON(c) {
		callee, fit = protojsonUnmarshal, generatedJSON
	}
	all, fits := 0.0, 0.0
	for _, stack := range c.Site.Stacks {
		path := e.Frames(stack)
		if !slices.ContainsFunc(path, func(f evidence.Frame) bool { return strings.HasPrefix(f.Function, callee) }) {
			continue
		}
		bytes := e.Of(stack).Alloc.Bytes
		all += bytes
		if fit(path) {
			fits += bytes
		}
	}
	return all > 0 && fits >= arenaHolds*all
}

// byServer reports whether a path decodes a request of a gRPC server. Most such
// paths have no line of the program's own.
func byServer(path []evidence.Frame) bool {
	codec := slices.IndexFunc(path, func(f evidence.Frame) bool {
		return strings.HasPrefix(f.Function, "google.golang.org/grpc/encoding/proto.")
	})
	return codec >= 0 && generated(path[:codec]) && slices.ContainsFunc(path[codec:], func(f evidence.Frame) bool {
		return strings.HasPrefix(f.Function, "google.golang.org/grpc.(*Server).")
	})
}

// decodedByServer returns the sites that allocate mostly for requests that gRPC's own
// codec decodes, their weight, and the stack of them that allocates most.
func decodedByServer(e *evidence.Evidence) (sites map[*evidence.Site]bool, sum evidence.Weight, heaviest profile.StackID) {
	sites = map[*evidence.Site]bool{}
	most := 0.0
	for i := range e.Sites {
		s := &e.Sites[i]
		own, whole := 0.0, 0.0
		for _, stack := range s.Stacks {
			bytes := e.Of(stack).Alloc.Bytes
			whole += bytes
			if byServer(e.Frames(stack)) {
				own += bytes
			}
		}
		if own <= 0 || own < arenaHolds*whole {
			continue
		}
		sites[s] = true
		for _, stack := range s.Stacks {
			w := e.Of(stack)
			sum.Add(w)
			if w.Alloc.Bytes >= most {
				most, heaviest = w.Alloc.Bytes, stack
			}
		}
	}
	return sites, sum, heaviest
}

// findServer finds the requests that gRPC's own codec decodes, whatever method
// they are for. The zero finding is none.
func findServer(e *evidence.Evidence) finding.Finding {
	sites, sum, heaviest := decodedByServer(e)
	if len(sites) == 0 || sum.Live.Bytes > sum.Alloc.Bytes*maxSurviving {
		return finding.Finding{}
	}
	in := func(s *evidence.Site) bool { return sites[s] }
	whole := finding.Cause{Weight: sum}
	f := finding.Finding{
		Title:      "requests are decoded onto the heap by gRPC's codec (proto.Unmarshal): they are dead soon",
		Path:       e.Frames(heaviest),
		Evidence:   whole.Figures(),
		Confidence: evidence.High,
		CPU: evidence.Range{
			Low:  e.CombinedCeiling(decodingSaves.Low, in).Low,
			High: min(1, e.CombinedCeiling(decodingSaves.High, in).High+sum.Work*decodingWork),
		},
		Remedy: "Give the server the options of arenagrpc: each request is decoded into an arena, which is freed " +
			"after the response was encoded. Handlers do not change.",
		Risk: "Messages of a request must not be used after its handler has returned; strings and bytes may be " +
			"kept. Copy messages that are kept with arenapb.Promote; tests with -race report uses after the end.",
	}
	if e.CPU == nil {
		f.Share = e.Share(sum.Alloc)
	}
	fate := e.Flow.RequestsDie()
	if !fate.Dies {
		f.CPU.Low = 0
	}
	if !fate.Dies && !fate.Unsure {
		f.Confidence = evidence.Low
		f.Title = "requests are decoded onto the heap by gRPC's codec (proto.Unmarshal)"
		f.Remedy = finding.Because("No arena as the program is", "an arena can hold them", fate) + " " + decodeLess
		return f
	}
	decodeInArenas(&f, e)
	if !fate.Dies {
		unless(&f, fate.Kept)
	}
	return f
}

// decodeInArenas shows the change of the lines that make servers, where there are few.
func decodeInArenas(f *finding.Finding, e *evidence.Evidence) {
	const head = "// with github.com/heapwright/heapwright/arena and arena/arenagrpc:\nvar pool arena.Pool // of the package\n\n"
	f.Example = head + "server := grpc.NewServer(append(arenagrpc.DecodeRequests(&pool), options...)...)"
	var servers []madeServer
	if e.Source != nil {
		servers = serversMade(e.Source.Root())
	}
	if len(servers) == 1 {
		f.File, f.Line, f.Source = servers[0].file, servers[0].line, servers[0].text
	}
	if len(servers) > 0 && len(servers) <= fewServers {
		f.Example = head[:len(head)-1]
		for _, s := range servers { // the profile does not show which of them it was
			f.Example += fmt.Sprintf("\n// %s\n%s", finding.FileAndLine(source.Position{File: s.file, Line: s.line}),
				s.changed)
		}
	}
}
