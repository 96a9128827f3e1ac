package sample

import "testing"

func TestKeyIsShownByThePackagesName(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/gofiber/fiber/v2":       "fiber.B",
		"github.com/gofiber/fiber/v2/utils": "utils.B",
		"gopkg.in/yaml.v3":                  "yaml.B",
		"k8s.io/api/core/v1":                "v1.B",
		"example.org/v10x":                  "v10x.B",
		"v2":                                "v2.B",
		"main":                              "main.B",
		"":                                  "B",
	} {
		if got := (Key{Package: path, Benchmark: "B"}).String(); got != want {
			t.Errorf("%q is shown as %q, want %q", path, got, want)
		}
	}
}
