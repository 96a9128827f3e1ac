package config

// Names of the flags of Key that stand for arguments.
const (
	Packages = "PACKAGES" // arguments before --
	Args     = "--"       // arguments after --
)

// Kind is the type of a key's value.
type Kind int

const (
	Text   Kind = iota // a string
	List               // a list of strings
	File               // the name of a file, relative to the folder of heapwright.toml
	Whole              // an integer
	Number             // an integer or a float
	Switch             // true or false
)

// Key is one key of heapwright.toml. It sets a flag, and has the flag's meaning.
type Key struct {
	Name    string // includes the table: "budget.tune"
	Flag    string // without its dash; Packages and Args are arguments
	Part    string // the key within the value of the flag -load; "" for other flags
	Command string // the only command that the key is for; "" for all that have the flag
	Kind    Kind
	Example string // a value as TOML
	Secret  bool   // a value may have a password, and is not shown
}

// Version is the newest version of the format that this package reads.
const Version = 1

// Keys are all keys, in the order in which documents list them.
var Keys = []Key{
	{Name: "target.packages", Flag: Packages, Kind: List, Example: `["./..."]`},
	{Name: "target.bench", Flag: "bench", Example: `"Decode"`},
	{Name: "target.main", Flag: "main", Example: `"./cmd/server"`},
	{Name: "target.args", Flag: Args, Kind: List, Example: `["-addr", "127.0.0.1:{port}"]`},
	{Name: "target.exit-code", Flag: "exit-code", Kind: Number, Example: `1`},

	{Name: "server.url", Flag: "url", Example: `"http://127.0.0.1:{port}/"`},
	{Name: "server.ready", Flag: "load", Part: "ready", Example: `"http://127.0.0.1:{port}/healthz"`},
	{Name: "server.ready-timeout", Flag: "load", Part: "ready-timeout", Example: `"30s"`},
	{Name: "server.grpc", Flag: "load", Part: "grpc", Example: `"package.Service/Method"`},
	{Name: "server.proto", Flag: "load", Part: "proto", Example: `"service.proto"`},

	{Name: "load.rate", Flag: "load", Part: "rate", Kind: Number, Example: `200`},
	{Name: "load.shape", Flag: "load", Part: "shape", Example: `"storm"`},
	{Name: "load.warmup", Flag: "load", Part: "warmup", Example: `"3s"`},
	{Name: "load.duration", Flag: "load", Part: "duration", Example: `"20s"`},
	{Name: "load.storms", Flag: "load", Part: "storms", Kind: Whole, Example: `3`},
	{Name: "load.storm-factor", Flag: "load", Part: "storm-factor", Kind: Number, Example: `20`},
	{Name: "load.storm-length", Flag: "load", Part: "storm-length", Example: `"2s"`},
	{Name: "load.method", Flag: "load", Part: "method", Example: `"POST"`},
	{Name: "load.body", Flag: "load", Part: "body", Example: `"body.json"`},
	{Name: "load.headers", Flag: "load", Part: "headers", Example: `"headers.txt"`},
	{Name: "load.requests", Flag: "load", Part: "requests", Example: `"requests.txt"`},
	{Name: "load.data", Flag: "load", Part: "data", Example: `"message.json"`},

	{Name: "experiment.modes", Flag: "modes", Kind: List, Example: `["default", "GOGC=400"]`},
	{Name: "experiment.modes-file", Flag: "modes-file", Kind: File, Example: `"modes.toml"`},
	{Name: "experiment.blocks", Flag: "blocks", Kind: Whole, Example: `40`},
	{Name: "experiment.run-time", Flag: "run-time", Example: `"200ms"`},
	{Name: "experiment.run-timeout", Flag: "run-timeout", Example: `"3m"`},
	{Name: "experiment.memory", Flag: "memory", Example: `"512MiB"`},
	{Name: "experiment.max-rss", Flag: "max-rss", Example: `"512MiB"`},

	{Name: "budget.tune", Flag: "budget", Command: "tune", Example: `"5m"`},
	{Name: "budget.compare", Flag: "budget", Command: "compare", Example: `"5m"`},
	{Name: "budget.diagnose", Flag: "budget", Command: "diagnose", Example: `"1m"`},
	{Name: "budget.aa", Flag: "budget", Command: "aa", Example: `"5m"`},
	{Name: "budget.gate", Flag: "budget", Command: "gate", Example: `"10m"`},
	{Name: "budget.baseline", Flag: "budget", Command: "baseline", Example: `"5m"`},

	{Name: "rates.core-hour", Flag: "core-hour", Kind: Number, Example: `0.04048`},
	{Name: "rates.gib-hour", Flag: "gib-hour", Kind: Number, Example: `0.004445`},
	{Name: "rates.instances", Flag: "instances", Kind: Number, Example: `200`},

	{Name: "diagnose.modules", Flag: "modules", Command: "diagnose", Kind: List, Example: `["example.com/lib"]`},
	{Name: "diagnose.fail-over", Flag: "fail-over", Command: "diagnose", Example: `"5%"`},

	{Name: "serve.targets", Flag: "targets", Command: "serve", Kind: List, Example: `["shop=http://10.0.0.7:6060"]`},
	{Name: "serve.file-sd", Flag: "file-sd", Command: "serve", Kind: List, Example: `["targets/*.json"]`},
	{Name: "serve.http-sd", Flag: "http-sd", Command: "serve", Kind: List, Example: `["http://sd.example/targets"]`, Secret: true},
	{Name: "serve.dns", Flag: "dns", Command: "serve", Kind: List, Example: `["shop=shop.example:6060"]`},
	{Name: "serve.pods", Flag: "pods", Command: "serve", Kind: List, Example: `["all"]`},
	{Name: "serve.listen", Flag: "listen", Command: "serve", Example: `"127.0.0.1:7070"`},
	{Name: "serve.window", Flag: "window", Command: "serve", Example: `"1h"`},
	{Name: "serve.heap-every", Flag: "heap-every", Command: "serve", Example: `"15s"`},
	{Name: "serve.cpu-every", Flag: "cpu-every", Command: "serve", Example: `"5m"`},
	{Name: "serve.cpu-duration", Flag: "cpu-duration", Command: "serve", Example: `"5s"`},
	{Name: "serve.goroutine-every", Flag: "goroutine-every", Command: "serve", Example: `"1m"`},
	{Name: "serve.alarm", Flag: "alarm", Command: "serve", Example: `"80%"`},
	{Name: "serve.requests", Flag: "requests", Command: "serve", Kind: List, Example: `["http_requests_total"]`},
	{Name: "serve.webhooks", Flag: "webhooks", Command: "serve", Kind: List, Example: `["http://alertmanager:9093"]`, Secret: true},
	{Name: "serve.keep", Flag: "keep", Command: "serve", Example: `"744h"`},
	{Name: "serve.keep-bytes", Flag: "keep-bytes", Command: "serve", Example: `"10GiB"`},
	{Name: "serve.from", Flag: "from", Command: "serve", Example: `"pyroscope=http://pyroscope:4040"`},
	{Name: "serve.queue-bytes", Flag: "queue-bytes", Command: "serve", Example: `"1GiB"`},
	{Name: "serve.read-tokens", Flag: "read-tokens", Command: "serve", Kind: File, Example: `"readers"`},
	{Name: "serve.write-tokens", Flag: "write-tokens", Command: "serve", Kind: File, Example: `"writers"`},
	{Name: "serve.cert", Flag: "cert", Command: "serve", Kind: File, Example: `"cert.pem"`},
	{Name: "serve.key", Flag: "key", Command: "serve", Kind: File, Example: `"key.pem"`},
	{Name: "serve.client-ca", Flag: "client-ca", Command: "serve", Kind: File, Example: `"clients.pem"`},
	{Name: "serve.scrape-token-file", Flag: "scrape-token-file", Command: "serve", Kind: File, Example: `"token"`},
	{Name: "serve.from-token-file", Flag: "from-token-file", Command: "serve", Kind: File, Example: `"token"`},
	{Name: "serve.webhook-token-file", Flag: "webhook-token-file", Command: "serve", Kind: File, Example: `"token"`},

	{Name: "gate.base", Flag: "base", Command: "gate", Example: `"main"`},
	{Name: "gate.against", Flag: "against", Command: "gate", Kind: File, Example: `"bench.json"`},
	{Name: "gate.limits", Flag: "limits", Command: "gate", Kind: File, Example: `"limits.toml"`},
	{Name: "gate.strict", Flag: "strict", Command: "gate", Kind: Switch, Example: `true`},
}

// IsTarget reports whether the key is of the target. All of these keys belong together:
// a target on the command line replaces them together.
func (k Key) IsTarget() bool {
	return k.Flag == Packages || k.Flag == Args || k.Flag == "bench" || k.Flag == "main" || k.Flag == "exit-code" ||
		k.Flag == "url" || k.Flag == "load"
}
