package view

import "testing"

// The end of a closure's name tells most; without its file nobody finds the line.
func TestPlaceKeepsFile(t *testing.T) {
	for _, test := range []struct{ file, function, want string }{
		{"pool.go", "ex.com/x.Get", "pool.go:40 in x.Get"},
		{"pool.go", "ex.com/x.BenchmarkPool.NewBuffer.newBuffer.func2", "pool.go:40 in ….NewBuffer.newBuffer.func2"},
		{"a/very/long/folder/of/a/module/pool.go", "ex.com/x.BenchmarkPool.func2", "…r/of/a/module/pool.go:40 in …kPool.func2"},
	} {
		if got := lineIn(test.file, 40, test.function, 41); got != test.want {
			t.Errorf("%q, not %q", got, test.want)
		}
	}
}
