// Package requestclean has handlers that keep nothing which dies with the call.
package requestclean

import (
	"context"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"example.org/t/pb"
	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenagrpc"
	"github.com/heapwright/heapwright/arena/arenapb"
)

var pool arena.Pool

func serve(opts []grpc.ServerOption, given *grpc.Server) {
	s := grpc.NewServer(append([]grpc.ServerOption{grpc.MaxRecvMsgSize(1)}, arenagrpc.DecodeRequests(&pool)...)...)
	pb.RegisterBooksServer(s, &clones{})
	pb.RegisterBooksServer(s, &texts{})
	pb.RegisterBooksServer(s, &waits{})
	pb.RegisterBooksServer(s, &erases{})
	pb.RegisterBooksServer(s, &erasesLater{})
	pb.RegisterBooksServer(s, &resets{})
	pb.RegisterBooksServer(s, &replaces{})
	pb.RegisterBooksServer(s, &answers{})
	pb.RegisterBooksServer(s, &others{})
	pb.RegisterBooksServer(s, &mixes{})
	pb.RegisterBooksServer(s, &fetches{})

	// Servers that decode onto the heap, or whose options are not known.
	pb.RegisterBooksServer(grpc.NewServer(), &keeper{})
	pb.RegisterBooksServer(grpc.NewServer(opts...), &keeper{})
	pb.RegisterBooksServer(given, &keeper{})
	pb.RegisterBooksServer(grpc.NewServer(arenagrpc.DecodeRequests(nil)...), &keeper{})
	pb.RegisterBooksServer(grpc.NewServer(arenagrpc.CallArenas(&pool)), &keeper{})
}

type keeper struct {
	pb.UnimplementedBooksServer
	last *pb.Request
}

func (s *keeper) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.last = req
	return nil, nil
}

type clones struct {
	pb.UnimplementedBooksServer
	books map[string]*pb.Book
	last  *pb.Request
	keep  bool
}

func (s *clones) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.books[req.Name] = arenapb.Promote(req.Book)
	s.books["c"] = proto.CloneOf(req.Book)
	req = proto.Clone(req).(*pb.Request)
	s.last = req
	return nil, nil
}

func (s *clones) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	if s.keep {
		req = arenapb.Promote(req)
	}
	b := new(pb.Book)
	proto.Merge(b, req.Book)
	s.books[""] = b
	if s.keep {
		s.last = req
	}
	return nil, nil
}

func (s *clones) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	arena.Promote(req)
	s.last = req
	return nil, nil
}

type texts struct {
	pb.UnimplementedBooksServer
	names  []string
	data   map[string][]byte
	number int64
	pages  []int32
	books  map[string]*pb.Book
}

func (s *texts) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.names = append(s.names, req.Name, strings.ToLower(req.GetBook().GetName()))
	s.names = append(s.names, req.Book.Authors...)
	s.data[req.Name] = req.Book.Data
	s.number = req.Book.Number
	s.pages = append([]int32(nil), req.Book.Pages...)
	return nil, nil
}

func (s *texts) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	b := &pb.Book{Name: req.Book.Name, Data: req.Book.Data, Labels: map[string]string{}}
	for k, v := range req.Book.Labels {
		b.Labels[k] = v
	}
	s.books[b.Name] = b
	name := req.Name
	go func() { println(name) }()
	return nil, nil
}

type waits struct {
	pb.UnimplementedBooksServer
	queue chan job
}

type job struct {
	book *pb.Book
	done chan struct{}
}

func index(b *pb.Book) { println(b.Name) }

func (s *waits) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		index(req.Book)
	}()
	wg.Wait()
	return nil, nil
}

func (s *waits) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	done := make(chan struct{})
	s.queue <- job{req.Book, done}
	select {
	case <-done:
	case <-ctx.Done():
	}
	return nil, nil
}

func (s *waits) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	results := make(chan *pb.Book, 1)
	go func() { results <- req.GetBook().GetFirst() }()
	return &pb.Response{Book: <-results}, nil
}

type erases struct {
	pb.UnimplementedBooksServer
	mu      sync.Mutex
	running map[string]*pb.Request
	current *pb.Request
}

func (s *erases) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.running[req.Name] = req
	defer delete(s.running, req.Name)
	s.index(req)
	return nil, nil
}

func (s *erases) enter(req *pb.Request) { s.running[req.Name] = req }
func (s *erases) leave(name string)     { delete(s.running, name) }

func (s *erases) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.enter(req)
	defer s.leave(req.Name)
	return nil, nil
}

func (s *erases) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.current = req
	defer func() { s.current = nil }()
	return nil, nil
}

func (s *erases) index(req *pb.Request) {
	for range req.Book.Parts {
		if req.Name != "" {
			s.running[req.Name] = req
		}
		index(req.Book)
		delete(s.running, req.Name)
	}
}

type erasesLater struct {
	pb.UnimplementedBooksServer
	parts map[string]*pb.Book
}

func (s *erasesLater) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	for _, b := range req.Book.Parts {
		s.parts[b.Name] = b
	}
	for _, b := range req.Book.Parts {
		delete(s.parts, b.Name)
	}
	return nil, nil
}

type worker struct{ req *pb.Request }

func (w *worker) reset() { *w = worker{} }

type resets struct {
	pb.UnimplementedBooksServer
	workers []*worker
}

func (s *resets) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	w := s.workers[0]
	w.req = req
	defer w.reset()
	index(w.req.Book)
	return nil, nil
}

type replaces struct {
	pb.UnimplementedBooksServer
	entries map[string]*entry
	since   map[string]*time.Time
	book    *pb.Book
}

type entry struct {
	made *time.Time
	book *pb.Book
}

func (s *replaces) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	e := &entry{book: req.Book}
	e.book = proto.Clone(e.book).(*pb.Book)
	s.entries[req.Name] = e
	return nil, nil
}

func (s *replaces) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	now := time.Now()
	e := entry{book: req.Book, made: &now}
	s.since[req.Name] = e.made
	return nil, nil
}

func (s *replaces) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	req.Book = arenapb.Promote(req.Book)
	s.book = req.Book
	s.book = req.GetBook()
	return nil, nil
}

type answers struct {
	pb.UnimplementedBooksServer
	books map[string]*pb.Book
}

func (s *answers) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	req.Book.Parts = append(req.Book.Parts, s.books[req.Name])
	return &pb.Response{Book: req.Book, Books: req.Book.Parts}, nil
}

func (s *answers) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	list := []*pb.Book{req.Book}
	for _, b := range s.books {
		list = append(list, b)
	}
	index(list[0])
	return &pb.Response{Books: list}, nil
}

type store interface {
	Put(*pb.Book) error
	Get() *pb.Book
}

type others struct {
	pb.UnimplementedBooksServer
	store store
	saved []byte
	all   []*pb.Book
}

func copied(b *pb.Book) *pb.Book { return &pb.Book{Name: b.Name, First: arenapb.Promote(b.First)} }

func (s *others) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	err := s.store.Put(req.Book)
	s.saved, _ = proto.Marshal(req)
	return nil, err
}

func (s *others) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.all = append(s.all, copied(req.Book))
	return nil, nil
}

type fetches struct {
	pb.UnimplementedBooksServer
	store   store
	entries map[string]*entry
	book    *pb.Book
}

func (s *fetches) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	req.Book = s.store.Get()
	s.book = req.Book
	return nil, nil
}

func (s *fetches) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	e := &entry{book: req.Book}
	e.book = s.store.Get()
	s.entries[req.Name] = e
	return nil, nil
}

// A handler for each call has only the life of the call.
type perCall struct{ req *pb.Request }

func (c *perCall) run(req *pb.Request) { c.req = req }

func (s *others) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	c := &perCall{}
	c.run(req)
	index(c.req.Book)
	return nil, nil
}

type mixes struct {
	pb.UnimplementedBooksServer
	defaults map[string]*pb.Book
	book     *pb.Book
	noTrace  *trace
}

type trace struct{ debug *debug }

type debug struct{ book *pb.Book }

// A default has no debug.
var noTrace = &trace{}

func (s *mixes) trace(name string) *trace {
	if s.defaults[name] == nil {
		return noTrace
	}
	if s.book == nil {
		return s.noTrace
	}
	return &trace{debug: &debug{}}
}

func (s *mixes) debug(req *pb.Request) *debug {
	d := s.trace(req.Name).debug
	if d == nil {
		d = &debug{}
	}
	d.book = req.Book
	return d
}

func pick(b *pb.Book) *pb.Book { return b }

func (s *mixes) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	index(pick(req.Book))
	s.book = pick(s.defaults[req.Name])
	return nil, nil
}

func count[M ~map[K]V, K comparable, V any](m M, keep func(K, V) bool) (n int) {
	for k, v := range m {
		if keep(k, v) {
			n++
		}
	}
	return n
}

func (s *mixes) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	index(s.debug(req).book)
	n := count(req.Book.Labels, func(k, v string) bool { return k == v })
	s.book = &pb.Book{Number: int64(n)}
	return nil, nil
}

func (s *mixes) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	books := map[string]*pb.Book{"r": req.Book}
	index(books["r"])
	s.defaults["x"] = s.defaults[req.Name]
	return nil, nil
}
