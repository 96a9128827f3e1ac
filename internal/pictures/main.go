// Pictures draws the pictures of the guides that are not screenshots, as SVG
// files in docs/images. They show figures of docs/results, or the output of the
// program, which is run for them.
//
//	go run ./internal/pictures            # draw all of them
//	go run ./internal/pictures arenapb    # draw one
//
// The pictures gate and collect take a minute, because they measure.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
)

// picture is a file of docs/images.
type picture struct {
	name string
	// draw returns the SVG file. root is the root of the repository.
	draw func(ctx context.Context, root string) (string, error)
	// fixed says that the picture only depends on files of the repository.
	fixed bool
}

var pictures = []picture{
	{"architecture", layers, true},
	{"arena-migration", migration, true},
	{"arena-safety", reuse, false},
	{"arenajson", decoders("arenajson.md", "CPU time of decoding JSON, by document", "encoding/json",
		"arenajson", "go-json-experiment/json, v2", "goccy/go-json", "bytedance/sonic"), true},
	{"arenapb", decoders("arenapb.md", "CPU time of decoding protobuf, by the shape of the messages", "proto.Unmarshal",
		"arenapb", "arenapb, text in the arena", "hyperpb", "vtprotobuf"), true},
	{"collect", recording, false},
	{"config", found, false},
	{"gate", budget, false},
	{"vet", fixes, false},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, names []string) error {
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.ContainsFunc(pictures, func(p picture) bool { return p.name == name }) {
			return fmt.Errorf("there is no picture %q; run without arguments to draw all of them", name)
		}
	}
	for _, p := range pictures {
		if len(names) > 0 && !slices.Contains(names, p.name) {
			continue
		}
		svg, err := p.draw(ctx, root)
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		file := filepath.Join(root, "docs", "images", p.name+".svg")
		if err := os.WriteFile(file, []byte(svg), 0o644); err != nil {
			return err
		}
		fmt.Println(file)
	}
	return nil
}
