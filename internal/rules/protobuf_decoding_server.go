package rules

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/heapwright/heapwright/internal/source"
)

// A madeServer is a line that makes a gRPC server, with the line that should replace it.
type madeServer struct {
	file          string
	line          int
	text, changed string
}

// serversMade finds the calls of grpc.NewServer below a folder, in all packages. The line is in
// no profile, because decoding does not call it.
func serversMade(root string) (all []madeServer) {
	filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // a folder that cannot be read has no line to show
		case d.IsDir():
			if base := d.Name(); name != root && (base == "vendor" || base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")) {
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := source.ReadFile(name)
		if err == nil && bytes.Contains(text, []byte(".NewServer(")) {
			all = append(all, serversIn(name, text)...)
		}
		return nil
	})
	return all
}

// serversIn returns the calls in a file. Servers with the options of arenagrpc, or
// with a codec of their own, do not count.
func serversIn(name string, text []byte) []madeServer {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	grpc := ""
	for _, spec := range file.Imports {
		if spec.Path.Value == `"google.golang.org/grpc"` {
			grpc = "grpc"
			if spec.Name != nil {
				grpc = spec.Name.Name
			}
		}
	}
	var all []madeServer
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	for _, d := range file.Decls {
		if declaration := string(text[at(d.Pos()):at(d.End())]); strings.Contains(declaration, "arenagrpc.") || strings.Contains(declaration, "ForceServerCodec") {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if fn := string(text[at(call.Fun.Pos()):at(call.Fun.End())]); fn != grpc+".NewServer" {
				return true
			}
			options := strings.TrimSpace(string(text[at(call.Lparen)+1 : at(call.Rparen)]))
			options = strings.TrimSuffix(options, ",")
			changed := grpc + ".NewServer(arenagrpc.DecodeRequests(&pool)...)"
			if options != "" {
				changed = grpc + ".NewServer(append(arenagrpc.DecodeRequests(&pool), " + options + ")...)"
			}
			line := fset.Position(call.Pos()).Line
			whole := strings.TrimSpace(strings.Split(string(text), "\n")[line-1])
			all = append(all, madeServer{file: name, line: line, text: whole, changed: changed})
			return true
		})
	}
	return all
}
