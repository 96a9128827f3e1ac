package web

import (
	"maps"
	"net/http"
	"time"

	"github.com/heapwright/heapwright/internal/serve"
	"github.com/heapwright/heapwright/internal/serve/querier"
)

// route is an address, the right that it takes, and its action.
type route struct {
	pattern string
	right   right
	do      func(*Handler, http.ResponseWriter, *http.Request) error
}

// routes are all addresses.
var routes = []route{
	{"GET /{$}", read, (*Handler).fleet},
	{"GET /service/{service}", read, (*Handler).service},
	{"GET /versions/{service}", read, (*Handler).versions},
	{"GET /api/versions/{service}", read, (*Handler).versionsJSON},
	{"GET /pgo/{service}/default.pgo", read, (*Handler).pgo},
	{"GET /diagnosis/{service}", read, (*Handler).diagnosis},
	{"GET /flame/{service}", read, (*Handler).flame},
	{"GET /api/profile/{service}", read, (*Handler).profile},
	{"GET /api/window/{service}", read, (*Handler).window},
	{"POST /{service}/{method}", read, (*Handler).connect},
	{"GET /pyroscope/render", read, (*Handler).render},
	{"GET /pyroscope/render-diff", read, (*Handler).renderDiff},
	{"POST /api/push/{service}", write, (*Handler).push},
	{"POST /ingest", write, (*Handler).ingest},
	{"POST /push.v1.PusherService/Push", write, (*Handler).pusher},
	{"POST /v1development/profiles", write, (*Handler).otlp},
}

// New returns the handler of a server and of its tenants.
func New(s *serve.Server, opts Options) http.Handler {
	all := &site{opts: opts, tenants: map[string]*Handler{},
		working: make(turns, mostWork)}
	servers := map[string]*serve.Server{"": s}
	maps.Copy(servers, opts.Tenants)
	for name, s := range servers {
		h := &Handler{site: all, server: s, opts: opts, now: time.Now,
			working: make(turns, max(1, mostWork-len(opts.Tenants))),
			sending: make(turns, max(1, mostSending/len(servers))),
			large:   make(turns, max(1, mostLarge/len(servers))),
			keeping: make(turns, max(1, mostKeeping/len(servers))),
			asking:  make(turns, max(1, mostAsking/len(servers))),
			answers: make(turns, max(1, mostAnswers/len(servers)))}
		h.querier = querier.New(s.Store(), h.now)
		h.passer, _ = s.Remote().(passer)
		all.tenants[name] = h
	}
	m := http.NewServeMux()
	for _, t := range routes {
		m.HandleFunc(t.pattern, all.allowed(t))
	}
	return guarded(http.NewCrossOriginProtection().Handler(m))
}
