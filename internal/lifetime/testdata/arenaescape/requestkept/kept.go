// Package requestkept has handlers that keep requests, in the package that serves
// them.
package requestkept

import (
	"container/list"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"example.org/t/pb"
	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenagrpc"
)

var pool arena.Pool

func serve() {
	s := grpc.NewServer(arenagrpc.DecodeRequests(&pool)...)
	pb.RegisterBooksServer(s, &fields{})
	pb.RegisterBooksServer(s, &parts{})
	pb.RegisterBooksServer(s, &inside{})
	pb.RegisterBooksServer(s, &helpers{})
	pb.RegisterBooksServer(s, &goroutines{})
	pb.RegisterBooksServer(s, &closures{})
	pb.RegisterBooksServer(s, &calls{})
	pb.RegisterBooksServer(s, &twice{})
	pb.RegisterBooksServer(s, &branches{})
	pb.RegisterBooksServer(s, &unseen{})
	pb.RegisterBooksServer(s, &hooks{})
	pb.RegisterBooksServer(s, newLibrary())
	s.RegisterService(&pb.Books_ServiceDesc, library{})
}

type fields struct {
	pb.UnimplementedBooksServer
	mu    sync.Mutex
	books map[string]*pb.Book
	all   []*pb.Request
	last  *pb.Request
}

func (s *fields) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[req.Name] = req.Book // want `Create keeps memory of its request in the field books, but it dies with the call: the server decodes requests into arenas; keep a copy by arenapb.Promote`
	return &pb.Response{Book: req.Book}, nil
}

func (s *fields) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.all = append(s.all, req) // want `Update keeps memory of its request in the field all`
	return nil, nil
}

func (s *fields) Get(_ context.Context, req *pb.Request) (*pb.Response, error) {
	if req.GetName() == "" {
		return nil, nil
	}
	s.last = req // want `Get keeps memory of its request in the field last`
	return nil, nil
}

type parts struct {
	pb.UnimplementedBooksServer
	labels  map[string]string
	pages   []int32
	authors []string
	first   *pb.Book
	kind    any
	edition *int32
	books   []*pb.Book
}

func (s *parts) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.labels = req.Book.Labels            // want `Create keeps memory of its request in the field labels`
	s.pages = req.Book.Pages              // want `Create keeps memory of its request in the field pages`
	s.authors = req.GetBook().Authors[1:] // want `Create keeps memory of its request in the field authors`
	return nil, nil
}

func (s *parts) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	switch k := req.Book.Kind.(type) {
	case *pb.Book_Novel:
		s.kind = k        // want `Update keeps memory of its request in the field kind`
		s.first = k.Novel // want `Update keeps memory of its request in the field first`
	}
	s.edition = req.Book.Edition // want `Update keeps memory of its request in the field edition`
	return nil, nil
}

func (s *parts) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	for _, b := range req.GetBook().GetParts() {
		s.books = append(s.books, b) // want `Get keeps memory of its request in the field books`
	}
	kept := append([]*pb.Book(nil), req.Book.Parts...)
	everything = kept // want `Get keeps memory of its request in the package's variable everything`
	return nil, nil
}

var (
	everything []*pb.Book
	table      sync.Map
	current    atomic.Pointer[pb.Book]
)

type entry struct {
	made time.Time
	book *pb.Book
}

type inside struct {
	pb.UnimplementedBooksServer
	entries map[string]*entry
	values  map[string]entry
	order   list.List
}

func newEntry(b *pb.Book) *entry { return &entry{made: time.Now(), book: b} }

func (s *inside) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	e := newEntry(req.Book)
	s.entries[req.Name] = e         // want `Create keeps memory of its request in the field entries`
	table.Store(req.Name, req.Book) // want `Create keeps memory of its request in the package's variable table`
	return &pb.Response{Book: e.book}, nil
}

func (s *inside) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	e := s.entries[req.Name]
	if e == nil {
		return nil, nil
	}
	e.book = req.GetBook()        // want `Update keeps memory of its request in the field book`
	current.Store(req.Book.First) // want `Update keeps memory of its request in the package's variable current`
	return nil, nil
}

func (s *inside) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.values[req.Name] = entry{book: req.Book} // want `Get keeps memory of its request in the field values`
	s.order.PushBack(req)                      // want `Get keeps memory of its request in the field order`
	return nil, nil
}

type shelf struct{ books []*pb.Book }

func (s *shelf) put(b *pb.Book) { s.books = append(s.books, b) }

type helpers struct {
	pb.UnimplementedBooksServer
	shelf  *shelf
	named  map[string]*shelf
	latest *pb.Response
}

func (s *helpers) find(name string) *shelf {
	sh, ok := s.named[name]
	if !ok {
		sh = new(shelf)
		s.named[name] = sh
	}
	return sh
}

func same[T any](x T) T { return x }

func (s *helpers) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.shelf.put(req.Book) // want `Create keeps memory of its request in the field books`
	return nil, nil
}

func (s *helpers) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.find(req.Name).put(same(req.Book)) // want `Update keeps memory of its request in the field named`
	return nil, nil
}

func (s *helpers) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	resp := &pb.Response{}
	resp.Books = append(resp.Books, req.Book)
	s.latest = resp // want `Get keeps memory of its request in the field latest`
	return resp, nil
}

type goroutines struct {
	pb.UnimplementedBooksServer
	queue chan *pb.Book
	work  chan entry
}

func index(b *pb.Book) { println(b.Name) }

func (s *goroutines) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	go index(req.Book)  // want `Create leaves memory of its request to a goroutine`
	s.queue <- req.Book // want `Create sends memory of its request on a channel`
	return nil, nil
}

func (s *goroutines) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	go func() { // want `Update leaves memory of its request to a goroutine`
		println(req.Name)
	}()
	return nil, nil
}

func (s *goroutines) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	select { // want `Get sends memory of its request on a channel`
	case s.work <- entry{book: req.Book}:
	default:
	}
	time.AfterFunc(time.Second, func() { index(req.Book) }) // want `Get leaves memory of its request to a goroutine`
	return nil, nil
}

type closures struct {
	pb.UnimplementedBooksServer
	mu    sync.Mutex
	books map[string]*pb.Book
	later []func()
}

func (s *closures) locked(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *closures) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.locked(func() {
		s.books[req.Name] = req.Book // want `Create keeps memory of its request in the field books`
	})
	return nil, nil
}

func (s *closures) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.later = append(s.later, func() { index(req.Book) }) // want `Update keeps memory of its request in the field later`
	return nil, nil
}

func (s *closures) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	if req.Book == nil {
		req.Book = &pb.Book{}
	}
	b := req.Book
	if b.First != nil {
		b = b.First
	}
	s.books[""] = b // want `Get keeps memory of its request in the field books`
	return nil, nil
}

type twice struct {
	pb.UnimplementedBooksServer
	shelf shelf
	named map[string]*pb.Book
}

func (s *twice) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.shelf.put(req.Book)       // want `Create keeps memory of its request in the field books`
	s.shelf.put(req.Book.First) // want `Create keeps memory of its request in the field books`
	return nil, nil
}

func (s *twice) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.named[req.Name].SetFirst(req.Book) // want `Get keeps memory of its request in the field named`
	return &pb.Response{Book: s.named[req.Name].GetFirst()}, nil
}

func (s *twice) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	for _, b := range req.Book.Parts {
		if s.named == nil {
			s.named = map[string]*pb.Book{}
		}
		s.named[b.Name] = b // want `Update keeps memory of its request in the field named`
	}
	return nil, nil
}

// The one that calls the other is not to blame.
type calls struct {
	pb.UnimplementedBooksServer
	books []*pb.Book
}

func (s *calls) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.books = append(s.books, req.Book) // want `Create keeps memory of its request in the field books`
	return nil, nil
}

func (s *calls) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	return s.Create(ctx, req)
}

type library struct {
	pb.UnimplementedBooksServer
	books map[string]*pb.Book
}

func newLibrary() pb.BooksServer { return &library{books: map[string]*pb.Book{}} }

func (l library) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	l.books[req.Name] = req.Book // want `Create keeps memory of its request in the field books`
	c := proto.Clone(req).(*pb.Request)
	l.books[c.Name] = c.Book
	return nil, nil
}

type branches struct {
	pb.UnimplementedBooksServer
	books map[string]*pb.Book
}

// A place that is emptied in another turn of the loop is not empty at the end.
func (s *branches) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	for _, b := range req.Book.Parts {
		if b.Name == "" {
			delete(s.books, b.Name)
		} else {
			s.books[b.Name] = b // want `Update keeps memory of its request in the field books`
		}
	}
	return nil, nil
}

type unseen struct {
	pb.UnimplementedBooksServer
	store   interface{ Put(*pb.Book) }
	books   map[string]*pb.Book
	started chan struct{}
	queue   chan *pb.Book
}

func (s *unseen) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.store.Put(req.Book) // missed: calls of an interface's method are not followed
	return nil, nil
}

func (s *unseen) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.books[req.Name] = req.Book // missed: the function deletes from the same map, if only other entries
	if len(s.books) > 100 {
		for name := range s.books {
			delete(s.books, name)
			break
		}
	}
	return nil, nil
}

func (s *unseen) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.queue <- req.Book // missed: the function waits afterwards, if only for something else
	<-s.started
	return nil, nil
}

type hooks struct {
	pb.UnimplementedBooksServer
	save func(*pb.Book)
	last *pb.Book
}

func (s *hooks) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.save(req.Book) // missed: calls of function values are not followed
	return nil, nil
}

func (s *hooks) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	b := req.Book
	if b == nil {
		b = proto.Clone(s.last).(*pb.Book)
	}
	s.last = b // missed: on one of the ways it is a copy
	return nil, nil
}
