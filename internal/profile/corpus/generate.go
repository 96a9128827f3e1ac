package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// The shape of the generated program. A function calls four others, one to
// three packages further on, and a call path ends where its walk says so: the
// stacks are 4 to 36 deep.
const (
	packages  = 40
	functions = 40
	callees   = 4
)

// service is the source of the program's main function.
//
//go:embed service.go.txt
var service string

// walk is the source of the package that chooses the next call of a path.
//
//go:embed walk.go.txt
var walk string

func generate(dir string) error {
	rng := rand.New(rand.NewPCG(1, 2))
	files := map[string]string{
		"go.mod":       "module example.com/service\n\ngo 1.24\n",
		"main.go":      service,
		"walk/walk.go": walk,
	}
	for p := range packages {
		files[fmt.Sprintf("layer%02d/layer.go", p)] = layer(p, rng)
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// layer returns the source of one package. Every third function is a method,
// and every fourth call goes through a function that the compiler inlines.
func layer(p int, rng *rand.Rand) string {
	var body strings.Builder
	imports := map[int]bool{}
	for f := range functions {
		receiver := ""
		if f%3 == 0 {
			receiver = "(*Handler) "
			fmt.Fprintf(&body, "func F%d(w *walk.Walk) { new(Handler).Do%d(w) }\n\n", f, f)
			fmt.Fprintf(&body, "//go:noinline\nfunc %sDo%d(w *walk.Walk) {\n", receiver, f)
		} else {
			fmt.Fprintf(&body, "//go:noinline\nfunc F%d(w *walk.Walk) {\n", f)
		}
		body.WriteString("\tswitch w.Next() {\n\tcase 0:\n\t\tw.Keep(make([]byte, w.Size()))\n")
		for c := range callees {
			to := p + 1 + rng.IntN(3)
			if to >= packages {
				break
			}
			imports[to] = true
			call := fmt.Sprintf("layer%02d.F%d(w)", to, rng.IntN(functions))
			if c == 3 {
				call = fmt.Sprintf("w.Via(layer%02d.F%d)", to, rng.IntN(functions))
			}
			fmt.Fprintf(&body, "\tcase %d:\n\t\t%s\n", c+1, call)
		}
		body.WriteString("\tdefault:\n\t\tw.Keep(make([]byte, w.Size()))\n\t}\n}\n\n")
	}
	var head strings.Builder
	fmt.Fprintf(&head, "package layer%02d\n\nimport (\n\t\"example.com/service/walk\"\n", p)
	for to := range packages {
		if imports[to] {
			fmt.Fprintf(&head, "\t\"example.com/service/layer%02d\"\n", to)
		}
	}
	return head.String() + ")\n\ntype Handler struct{}\n\n" + body.String()
}
