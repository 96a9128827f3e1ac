// Package requestserver serves implementations of another package.
package requestserver

import (
	"context"

	"google.golang.org/grpc"

	store "example.org/t/arenaescape/requeststore"
	"example.org/t/pb"
	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenagrpc"
)

var pool arena.Pool

func newServer() *grpc.Server { return grpc.NewServer(arenagrpc.DecodeRequests(&pool)...) }

func serve() {
	s := newServer()
	pb.RegisterBooksServer(s, &store.Memory{})                  // want `\(\*requeststore.Memory\).Create keeps memory of its request in the field books \(store.go:19\), but it dies with the call: the server decodes requests into arenas; keep a copy by arenapb.Promote there; the same holds for Update`
	pb.RegisterBooksServer(s, store.New())                      // want `\(\*requeststore.Memory\).Create keeps memory of its request in the field books \(store.go:19\)`
	s.RegisterService(&pb.Books_ServiceDesc, new(store.Memory)) // want `\(\*requeststore.Memory\).Create keeps memory`
	pb.RegisterBooksServer(s, &store.Names{})
	store.Register(s)                                         // want `Register serves \(\*requeststore.Memory\).Create, which keeps memory of its request in the field books \(store.go:19\)`
	store.NewServer(":0", arenagrpc.DecodeRequests(&pool)...) // want `NewServer serves \(\*requeststore.Memory\).Create, which keeps memory`
	pb.RegisterBooksServer(s, &shelves{})
	pb.RegisterBooksServer(s, &queues{})

	t := grpc.NewServer(arenagrpc.ServerOptions{Text: arena.TextArena}.DecodeRequests(&pool)...)
	pb.RegisterBooksServer(t, &store.Names{}) // want `\(\*requeststore.Names\).Create keeps text of its request in the field names \(store.go:39\)`

	plain := grpc.NewServer()
	pb.RegisterBooksServer(plain, &store.Memory{})
	store.Register(plain)
	store.NewServer(":0")
}

type shelves struct {
	store.Memory
	shelf store.Shelf
	book  *pb.Book
}

func (s *shelves) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.shelf.Put(req.Book)          // want `Create keeps memory of its request in the field shelf`
	s.shelf.PutAll(req.Book.Parts) // want `Create keeps memory of its request in the field shelf`
	return nil, nil
}

func (s *shelves) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.book = store.First(req.Book) // want `Update keeps memory of its request in the field book`
	var local store.Shelf
	local.Put(req.Book)
	return nil, nil
}

func (s *shelves) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	local := new(store.Shelf)
	local.Put(req.Book)
	s.shelf = *local // want `Get keeps memory of its request in the field shelf`
	return nil, nil
}

type queues struct {
	pb.UnimplementedBooksServer
	queue   store.Queue
	running store.Running
	done    chan struct{}
}

func (s *queues) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.queue.Put(req.Book)
	<-s.done
	return nil, nil
}

func (s *queues) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.queue.Put(req.Book) // want `Update sends memory of its request on a channel`
	return nil, nil
}

func (s *queues) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.running.Begin(req.Book)
	defer s.running.Finish(req.Name)
	return nil, nil
}
