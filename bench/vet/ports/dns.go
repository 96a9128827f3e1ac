package main

import "github.com/heapwright/heapwright/bench/foreign/truth"

var dns = &Port{
	Name: "dns", Path: "github.com/miekg/dns", Version: "v1.1.73",
	Lifetimes: "A pool in the server. A packet's arena is handed to its goroutine, which frees it. A connection holds one in a field: Reset between requests, freed by Close. Messages are packed with a Map, freed by defer.",
	Edits: []truth.Edit{
		{At: "msg.go:864", Lines: `		dns.Extra, _, err = unpackRRslice(a, int(dh.Arcount), msg, off)`},
		{At: "msg.go:859", Lines: `		dns.Ns, off, err = unpackRRslice(a, int(dh.Nscount), msg, off)`},
		{At: "msg.go:855", Lines: `	dns.Answer, off, err = unpackRRslice(a, int(dh.Ancount), msg, off)`},
		{At: "msg.go:852", Lines: `		dns.Question = arena.Append(a, dns.Question, q)`},
		{At: "msg.go:827+", Lines: `	return dns.unpackIn(nil, dh, msg, off)
}

// unpackIn is unpack with the sections of the message in a.
func (dns *Msg) unpackIn(a *arena.Arena, dh Header, msg []byte, off int) (err error) {`},
		{At: "msg.go:731", Lines: `		a := packing.Get()
		defer a.Free()
		compression := arena.NewMap[string, uint16](a, 4) // Compression pointer mappings.`},
		{At: "msg.go:725+", Lines: `// packing has the arenas of messages that are being packed.
var packing arena.Pool
`},
		{At: "msg.go:668", Lines: `		dst = arena.Append(a, dst, r)`},
		{At: "msg.go:653", Lines: `func unpackRRslice(a *arena.Arena, l int, msg []byte, off int) (dst1 []RR, off1 int, err error) {`},
		{At: "msg.go:191", Lines: `	pos, ok := m.int.Get(s)`},
		{At: "msg.go:181", Lines: `		m.int.Set(s, uint16(pos))`},
		{At: "msg.go:170", Lines: `	int *arena.Map[string, uint16] // internal callers`},
		{At: "msg.go:19+", Lines: `
	"github.com/heapwright/heapwright/arena"`},
		{At: "server.go:843+", Lines: `		w.requests.Free()`},
		{At: "server.go:641", Lines: `		err := req.unpackIn(a, dh, m, off)`},
		{At: "server.go:636", Lines: `	req := arena.New[Msg](a)`},
		{At: "server.go:628", Lines: `func (srv *Server) serveDNS(a *arena.Arena, m []byte, w *response) {`},
		{At: "server.go:624", Lines: `	srv.serveDNS(a, m, w)
	a.Free()`},
		{At: "server.go:616", Lines: `func (srv *Server) serveUDPPacket(wg *sync.WaitGroup, a *arena.Arena, m []byte, u net.PacketConn, udpSession *SessionUDP, pcSession net.Addr) {`},
		{At: "server.go:598+", Lines: `		w.requests.Reset()`},
		{At: "server.go:592", Lines: `		srv.serveDNS(w.requests, m, w)`},
		{At: "server.go:562", Lines: `	w := &response{tsigProvider: srv.tsigProvider(), tcp: rw, requests: srv.arenas.Get()}`},
		{At: "server.go:554", Lines: `		a := srv.arenas.Get()
		go srv.serveUDPPacket(&wg, a, m, l, sUDP, sPC)`},
		{At: "server.go:257+", Lines: `
	// Requests live in an arena until ServeDNS returns, those of a hijacked
	// connection until Close.
	arenas arena.Pool`},
		{At: "server.go:79+", Lines: `
	requests *arena.Arena // of a TCP connection, one request at a time; Close frees it`},
		{At: "server.go:14+", Lines: `
	"github.com/heapwright/heapwright/arena"`},
		{At: "tsig.go:356", Lines: `	_, off, err = unpackRRslice(nil, int(dh.Nscount), msg, off)`},
		{At: "tsig.go:352", Lines: `	_, off, err = unpackRRslice(nil, int(dh.Ancount), msg, off)`},
	},
	Packages: []string{"."},
	Race:     true,
	Leaves:   "Its tests hijack six connections and never close them, so leaks do not fail them.",
	Plants:   dnsPlants,
}
