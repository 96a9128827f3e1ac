package survey

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

var (
	servesGRPC = regexp.MustCompile(`\bgrpc\.NewServer\(`)
	servesHTTP = regexp.MustCompile(`\bhttp\.(ListenAndServe|Serve)(TLS)?\(|\bhttp\.Server\{`)
	// Served with the handler nil: the routes of http.DefaultServeMux.
	servesDefault = regexp.MustCompile(`\bhttp\.(ListenAndServe|Serve)(TLS)?\([^()]*(\([^()]*\))?[^()]*,\s*nil\)`)
	// A flag that is defined as a string or number, by the flag package or one that
	// is written like it, and is named for an address or a port.
	addressFlag = regexp.MustCompile(`\.(?:String|Int|Uint|Uint16)(?:Var)?P?\([^"\n]*"((?:(?:http|grpc|listen|bind|server)[-_]?)?(?:addr|address|listen|bind|port|http|host[-_]?port)|(?:http|grpc|listen|server)[-_]?endpoint)"`)
	// A variable of the environment with such a name.
	addressVariable = regexp.MustCompile(
		`\b(?:Getenv|LookupEnv)\("((?:(?:HTTP|GRPC|LISTEN|BIND|SERVER)_)?(?:PORT|ADDR|ADDRESS))"\)`)
	fixedPort = regexp.MustCompile(
		`(?:ListenAndServe\(|Addr:|Listen\("tcp",)\s*"(?:localhost|127\.0\.0\.1|0\.0\.0\.0)?:(\d+)"`)
	// Exporters of metrics for Prometheus take the flags of its exporter-toolkit.
	exporterFlags = regexp.MustCompile(`exporter-toolkit/web/kingpinflag"|"web\.telemetry-path"`)
	doubleDash    = regexp.MustCompile(`spf13/pflag|spf13/cobra|urfave/cli|alecthomas/kingpin`)
)

// describe finds out how to run a main package, by its source and the source of the
// packages of the module that it imports.
func (m *Module) describe(dir string, closure []*source) Main {
	// gRPC outranks HTTP, because a server of gRPC often serves metrics by HTTP as well. A
	// server that only has diagnostics is a program with something else to do.
	s := Main{Dir: dir}
	for _, p := range closure {
		switch {
		case servesGRPC.Match(p.text):
			s.Server = "gRPC"
		case s.Server == "" && servesHTTP.Match(p.text):
			s.Server = "HTTP"
		}
	}
	for _, p := range closure {
		s.Routes = append(s.Routes, p.routes...)
	}
	switch {
	case s.Server == "gRPC":
		s.Routes = nil
		m.method(&s, closure)
	case s.Server == "HTTP" && onlyDiagnostics(s.Routes, closure):
		s.Server, s.Routes = "", nil
	}
	if s.Server == "" {
		return s
	}

	// The server needs a free port. The ways to choose it are tried from the most to the
	// least certain: a flag, a variable of the environment, and a port in the source.
	for _, p := range closure {
		if exporterFlags.Match(p.text) {
			s.Args, s.URL = []string{"--web.listen-address", "127.0.0.1:{port}"}, "http://127.0.0.1:{port}/metrics"
			return s
		}
	}
	dash := "-"
	for _, p := range closure {
		if doubleDash.Match(p.text) {
			dash = "--"
		}
	}
	if name := listens(closure, s.Server); name != "" {
		s.Args, s.URL = []string{dash + name, listenAt(name)}, s.url("{port}")
		return s
	}
	for _, p := range closure {
		if v := addressVariable.FindSubmatch(p.text); v != nil {
			name := string(v[1])
			s.Variable, s.URL = name+"="+listenAt(name), s.url("{port}")
			return s
		}
	}
	for _, p := range closure {
		if port := fixedPort.FindSubmatch(p.text); port != nil {
			s.URL = s.url(string(port[1]))
			return s
		}
	}
	return s
}

// onlyDiagnostics reports whether a program serves nothing but the profiles of
// net/http/pprof: it registers no route of its own and passes no handler. Such a
// program is a command.
func onlyDiagnostics(routes []Route, closure []*source) bool {
	served, byDefault, profiles := 0, 0, false
	for _, p := range closure {
		served += len(servesHTTP.FindAll(p.text, -1))
		byDefault += len(servesDefault.FindAll(p.text, -1))
		profiles = profiles || p.imports["net/http/pprof"]
	}
	own := slices.ContainsFunc(routes, func(r Route) bool { return !aside.MatchString(r.Path) })
	return profiles && served == byDefault && !own
}

// url returns an address of a server that probably answers.
func (s Main) url(port string) string {
	best, ok := likeliest(s.Routes)
	if !ok {
		best.Path = "/"
	}
	return "http://127.0.0.1:" + port + best.Path
}

// listens returns the name of the flag for the address of a server, "" where there
// is none: of several, the first one that does not name another protocol. A name
// that is a protocol's and no more may be the address of a server to call.
func listens(closure []*source, server string) (name string) {
	protocol := strings.ToLower(server)
	bare := ""
	for _, p := range closure {
		for _, f := range addressFlag.FindAllSubmatch(p.text, -1) {
			flag := string(f[1])
			switch {
			case flag == protocol:
				bare = flag
			case strings.HasPrefix(flag, protocol):
				return flag
			case name == "" && !strings.HasPrefix(flag, "http") && !strings.HasPrefix(flag, "grpc"):
				name = flag
			}
		}
	}
	return cmp.Or(name, bare)
}

// listenAt is the value of a flag or variable that names an address or a port.
func listenAt(name string) string {
	if strings.HasSuffix(strings.ToLower(name), "port") {
		return "{port}"
	}
	return "127.0.0.1:{port}"
}

// ready reports whether it is known how to start a server and load it.
func (s Main) ready() bool {
	return s.Server != "" && s.URL != "" && (s.Server != "gRPC" || s.GRPC != "")
}
