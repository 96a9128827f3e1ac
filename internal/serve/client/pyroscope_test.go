package client

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/heapwright/heapwright/internal/profile"
	"github.com/heapwright/heapwright/internal/profile/profiletest"
	"github.com/heapwright/heapwright/internal/serve"
	pb "github.com/heapwright/heapwright/internal/serve/querier/querierpb"
	"github.com/heapwright/heapwright/internal/serve/web"
	"github.com/heapwright/heapwright/internal/store"
)

const stack = "app.work@/src/app/w.go:7 main.main@/src/app/m.go:1"

// ours is a server of heapwright with two snapshots of a process, ten minutes and a
// minute ago, and CPU profiles of two versions.
func ours(t *testing.T, access web.Access) string {
	t.Helper()
	s, err := serve.Open(serve.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- s.Run(ctx) }()
	server := httptest.NewServer(web.New(s, web.Options{Access: access, Log: slog.New(slog.DiscardHandler)}))
	t.Cleanup(func() {
		server.Close()
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	})
	now := time.Now()
	for i, version := range []string{"v1", "v2"} {
		at := now.Add([]time.Duration{-10 * time.Minute, -time.Minute}[i])
		labels := store.Labels{"instance": "a"}
		for _, p := range []struct {
			labels store.Labels
			data   *profiletest.Profile
		}{{labels, profiletest.NewHeap(0).Heap(int64(100*(i+1)), int64(10*(i+1)), stack)},
			{store.Labels{"instance": "a", "version": version}, profiletest.NewCPU().CPU(int64(i+1), stack)}} {
			var b bytes.Buffer
			if err := p.data.Write(&b); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Append(ctx, store.Entry{Service: "shop", Labels: p.labels, Time: at}, b.Bytes()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return pyroscopePrefix + server.URL
}

func read(t *testing.T, file string) *profile.Profile {
	t.Helper()
	p, err := profile.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A diagnosis has the CPU profile, allocations of the window, and a snapshot.
func TestPyroscopeWindow(t *testing.T) {
	dir := t.TempDir()
	if err := Window(t.Context(), ours(t, web.Access{}), Query{Service: "shop"}, dir); err != nil {
		t.Fatal(err)
	}
	cpu := read(t, filepath.Join(dir, "00-cpu.pb"))
	if at, ok := cpu.Column("cpu"); !ok || cpu.Total(at) != 30e6 || len(cpu.SampleTypes) != 2 {
		t.Error(cpu.SampleTypes)
	}
	allocs, heap := read(t, filepath.Join(dir, "01-allocs.pb")), read(t, filepath.Join(dir, "02-heap.pb"))
	if allocs.Total(0) != 100 || allocs.Total(2) != 0 || allocs.DurationNanos != 3600e9 {
		t.Error(allocs.Total(0), allocs.Total(2), allocs.DurationNanos)
	}
	if heap.Total(2) != 20 || heap.DurationNanos != 0 {
		t.Error(heap.Total(2), heap.DurationNanos)
	}
}

func TestPyroscopeProfile(t *testing.T) {
	source := ours(t, web.Access{Read: web.Bearer("reader")})
	file := filepath.Join(t.TempDir(), "x.pb.gz")
	if err := Profile(t.Context(), source, "cpu", Query{Service: "shop", Version: "v2", Token: "reader"}, file); err != nil {
		t.Fatal(err)
	}
	if p := read(t, file); p.Total(0) != 2 {
		t.Error("of version v2:", p.Total(0))
	}
	for want, q := range map[string]Query{
		"401":                     {Service: "shop", Token: "other"},
		"no profile of nobody":    {Service: "nobody", Token: "reader"},
		"no profile of shop from": {Service: "shop", Token: "reader", From: "10", To: "20"},
		"ends before it begins":   {Service: "shop", Token: "reader", From: "20", To: "10"},
		"write it as":             {Service: "shop", Token: "reader", From: "x"},
	} {
		err := Profile(t.Context(), source, "cpu", q, file+want)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "reader") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := Profile(t.Context(), source, "x", Query{Service: "shop", Token: "reader"}, file+"x"); err == nil {
		t.Error("a kind that is not known")
	}
}

// A Pyroscope adds all snapshots up: four of a process that has 10 objects make 40. One
// that no longer has SelectMergeProfile has another way to the same.
func TestPyroscopeAddsSnapshotsUp(t *testing.T) {
	var raw bytes.Buffer
	if err := profiletest.New("inuse_objects/count").Add(stack, 40).Write(&raw); err != nil {
		t.Fatal(err)
	}
	p, err := profile.NewDecoder(profile.Options{}).DecodeBytes("x", raw.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	raw.Reset()
	if err := p.EncodeRaw(&raw); err != nil {
		t.Fatal(err)
	}
	message := &pb.Profile{}
	if err := proto.Unmarshal(raw.Bytes(), message); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer proto.Message
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		switch r.URL.Path {
		case "/querier.v1.QuerierService/SelectMergeStacktraces":
			in, out := &pb.SelectMergeStacktracesRequest{}, &pb.SelectMergeStacktracesResponse{}
			if err := proto.Unmarshal(body, in); err != nil || in.LabelSelector != `{service_name="shop"}` {
				t.Error(in, err)
			}
			if in.Format == pb.ProfileFormat_PROFILE_FORMAT_PPROF && strings.Contains(in.ProfileTypeID, "inuse_objects") {
				out.Pprof = &pb.PprofProfile{Profile: message}
			}
			answer = out
		case "/querier.v1.QuerierService/SelectSeries":
			points := []*pb.Point{{Value: 8}, {Value: 10}, {Value: 12}, {Value: 10}}
			answer = &pb.SelectSeriesResponse{Series: []*pb.Series{{Points: points}}}
		default:
			w.WriteHeader(http.StatusNotImplemented)
			io.WriteString(w, `{"code":"unimplemented","message":"gone"}`)
			return
		}
		text, err := proto.Marshal(answer)
		if err != nil {
			t.Error(err)
		}
		w.Write(text)
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "heap.pb.gz")
	if err := Profile(t.Context(), pyroscopePrefix+server.URL+"/", "heap", Query{Service: "shop"}, file); err != nil {
		t.Fatal(err)
	}
	if p := read(t, file); p.Total(2) != 10 || len(p.SampleTypes) != 4 {
		t.Error(p.SampleTypes, p.Total(2))
	}
}

// An answer of a server is bounded and leads nowhere else.
func TestHostilePyroscope(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("another host was asked")
	}))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path[:3] {
		case "/re":
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		case "/no":
			io.WriteString(w, "nonsense")
		default:
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, "\x1b[31m"+strings.Repeat("x", 1000))
		}
	}))
	defer server.Close()
	for _, path := range []string{"/redirects", "/nonsense", "/wrong"} {
		dir := t.TempDir()
		err := Window(t.Context(), pyroscopePrefix+server.URL+path, Query{Service: "shop"}, dir)
		if err == nil || strings.Contains(err.Error(), "\x1b") || len(err.Error()) > 700 {
			t.Errorf("%s: %v", path, err)
		}
		if files, _ := os.ReadDir(dir); len(files) != 0 {
			t.Errorf("%s: %v", path, files)
		}
	}
}
