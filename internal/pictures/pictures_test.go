package main

import (
	"os"
	"testing"
)

// Pictures of results and of the source are up to date.
func TestPicturesAreFresh(t *testing.T) {
	for _, p := range pictures {
		if !p.fixed {
			continue
		}
		want, err := p.draw(t.Context(), "../..")
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		got, err := os.ReadFile("../../docs/images/" + p.name + ".svg")
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("docs/images/%s.svg is out of date: run go run ./internal/pictures %s", p.name, p.name)
		}
	}
}
