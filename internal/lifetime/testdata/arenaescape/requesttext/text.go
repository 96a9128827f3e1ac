// Package requesttext has handlers of a server that decodes text into arenas, too.
package requesttext

import (
	"context"
	"strings"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"example.org/t/pb"
	"github.com/heapwright/heapwright/arena"
	"github.com/heapwright/heapwright/arena/arenagrpc"
	"github.com/heapwright/heapwright/arena/arenapb"
)

type server struct {
	pool  arena.Pool
	inner *grpc.Server
}

func newServer() *server {
	s := &server{}
	d := arenagrpc.ServerOptions{Text: arena.TextArena}
	opts := []grpc.ServerOption{grpc.MaxRecvMsgSize(1 << 20)}
	opts = append(opts, d.DecodeRequests(&s.pool)...)
	s.inner = grpc.NewServer(opts...)
	return s
}

func (s *server) register() {
	pb.RegisterBooksServer(s.inner, &texts{})
	pb.RegisterBooksServer(s.inner, &copies{})
}

type texts struct {
	pb.UnimplementedBooksServer
	names []string
	data  map[string][]byte
	books map[int64]*pb.Book
	count map[string]int
}

func (s *texts) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.names = append(s.names, req.Name) // want `Create keeps text of its request in the field names, but it dies with the call: the server decodes requests into arenas; keep a copy by strings.Clone, bytes.Clone or arenapb.Promote`
	s.data["x"] = req.GetBook().Data    // want `Create keeps text of its request in the field data`
	return nil, nil
}

func (s *texts) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.count[req.Name]++ // want `Update keeps text of its request in the field count`
	b := &pb.Book{Name: req.Name[1:]}
	s.books[b.Number] = b // want `Update keeps text of its request in the field books`
	return nil, nil
}

func (s *texts) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.books[1] = proto.Clone(req.Book).(*pb.Book) // want `Get keeps text of its request in the field books`
	s.books[2] = req.Book                         // want `Get keeps memory of its request in the field books`
	return nil, nil
}

type copies struct {
	pb.UnimplementedBooksServer
	names []string
	books map[string]*pb.Book
	data  []byte
}

func (s *copies) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	s.names = append(s.names, strings.Clone(req.Name), req.Name+"!", string(req.Book.Data))
	s.books[strings.Clone(req.Name)] = arenapb.Promote(req.Book)
	s.data = append(s.data[:0], req.Book.Data...)
	return nil, nil
}

func (s *copies) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	name := req.Name
	if len(name) < 10 {
		name = strings.Clone(name)
	}
	if len(name) < 10 {
		s.names = append(s.names, name)
	}
	name = strings.ToUpper(req.Name)
	s.names = append(s.names, name)
	if b := s.books[req.Name]; b != nil {
		b.Number = req.Book.Number
	}
	return &pb.Response{Book: &pb.Book{Name: req.Name}}, nil
}
