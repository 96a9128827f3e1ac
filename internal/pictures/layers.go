package main

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// layers draws the layers of packages that house_test.go enforces.
func layers(_ context.Context, root string) (string, error) {
	all, err := readLayers(filepath.Join(root, "house_test.go"))
	if err != nil {
		return "", err
	}
	const top, row, gap = 64.0, 34.0, 8.0
	d := &drawing{height: top + (row+gap)*float64(len(all)) + 8}
	d.text(20, 30, "title", "start", "The layers of packages")
	d.text(20, 50, "small", "start", "A package may import the packages of the rows below its own.")
	for i, packages := range all {
		y := top + (row+gap)*float64(i)
		w := (width - 40 - gap*float64(len(packages)-1)) / float64(len(packages))
		for j, p := range packages {
			x := 20 + (w+gap)*float64(j)
			d.rect(x, y, w, row, "box")
			d.text(x+w/2, y+row/2+5, "", "middle", strings.TrimPrefix(p, "internal/"))
		}
	}
	return d.svg("The layers of packages, from cmd/heapwright at the top to the libraries at the bottom"), nil
}

// readLayers returns the value of the variable layers of a Go file.
func readLayers(file string) ([][]string, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var all [][]string
	ast.Inspect(f, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Names[0].Name != "layers" {
			return true
		}
		for _, row := range v.Values[0].(*ast.CompositeLit).Elts {
			var packages []string
			for _, p := range row.(*ast.CompositeLit).Elts {
				if name, err := strconv.Unquote(p.(*ast.BasicLit).Value); err == nil {
					packages = append(packages, name)
				}
			}
			all = append(all, packages)
		}
		return false
	})
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no variable layers", file)
	}
	return all, nil
}
