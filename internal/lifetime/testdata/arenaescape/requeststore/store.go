// Package requeststore has implementations that other packages serve.
package requeststore

import (
	"context"

	"google.golang.org/grpc"

	"example.org/t/pb"
)

// Memory keeps books.
type Memory struct {
	pb.UnimplementedBooksServer
	books map[string]*pb.Book
}

func (m *Memory) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	m.books[req.Name] = req.Book
	return &pb.Response{Book: req.Book}, nil
}

func (m *Memory) Update(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	m.books[req.Name] = req.Book
	return nil, nil
}

func (m *Memory) Get(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	return &pb.Response{Book: m.books[req.Name]}, nil
}

// Names keeps the names of books.
type Names struct {
	pb.UnimplementedBooksServer
	names []string
}

func (n *Names) Create(ctx context.Context, req *pb.Request) (*pb.Response, error) {
	n.names = append(n.names, req.Name)
	return nil, nil
}

type hidden struct{ Memory }

// New returns a value of a type that nobody else sees.
func New() pb.BooksServer { return &hidden{} }

// Server is a fake.
type Server struct {
	server *grpc.Server
	memory *Memory
}

// NewServer serves with options of the caller.
func NewServer(address string, opts ...grpc.ServerOption) *Server { return newServer(opts...) }

func newServer(opts ...grpc.ServerOption) *Server {
	s := &Server{server: grpc.NewServer(opts...), memory: &Memory{}}
	pb.RegisterBooksServer(s.server, s.memory)
	return s
}

// Register serves on a server of the caller.
func Register(s *grpc.Server) { pb.RegisterBooksServer(s, New()) }

// Shelf keeps books for others.
type Shelf struct{ books []*pb.Book }

// Put keeps a book.
func (s *Shelf) Put(b *pb.Book) { s.books = append(s.books, b) }

// PutAll keeps books.
func (s *Shelf) PutAll(books []*pb.Book) {
	for _, b := range books {
		s.Put(b)
	}
}

// First returns a part of the book.
func First(b *pb.Book) *pb.Book { return b.First }

// Queue hands books to workers.
type Queue struct{ books chan *pb.Book }

// Put sends a book.
func (q *Queue) Put(b *pb.Book) { q.books <- b }

// Running holds the books of running calls.
type Running struct{ books map[string]*pb.Book }

// Begin adds a book.
func (r *Running) Begin(b *pb.Book) { r.books[b.Name] = b }

// Finish takes it out.
func (r *Running) Finish(name string) { delete(r.books, name) }
