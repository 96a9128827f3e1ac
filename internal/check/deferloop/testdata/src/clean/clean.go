package clean

import "os"

func plain(f func()) { defer f() }

func inFunction(names []string) {
	for _, name := range names {
		func() {
			f, err := os.Open(name)
			if err != nil {
				return
			}
			defer f.Close()
		}()
	}
}

func inGoroutine(names []string, f func()) {
	for range names {
		go func() { defer f() }()
	}
}

func returns(names []string) error {
	for _, name := range names {
		f, err := os.Open(name)
		if err == nil {
			defer f.Close()
			return nil
		}
	}
	return os.ErrNotExist
}

func breaks(names []string, f func()) {
	for _, name := range names {
		if name == "a" {
			defer f()
			break
		}
	}
}

func breaksOuter(rows [][]string, f func()) {
rows:
	for _, row := range rows {
		for range row {
			defer f()
			break rows
		}
	}
}

func panics(names []string, f func()) {
	for _, name := range names {
		if name == "" {
			defer f()
			panic("no name")
		}
	}
}

func exits(names []string, f func()) {
	for _, name := range names {
		if name == "" {
			defer f()
			fail()
		}
	}
}

func fail() { os.Exit(1) }

func constant(f func()) {
	for range 3 {
		defer f()
	}
}

func array(files [4]*os.File) {
	for _, f := range files {
		defer f.Close()
	}
}

func list(f func()) {
	for range []string{"a", "b"} {
		defer f()
	}
}

func table(f func()) {
	cases := []struct{ name string }{{"a"}, {"b"}}
	for range cases {
		defer f()
	}
}

func part(short bool) {
	names := []string{"a", "b"}
	if short {
		names = names[:1]
	}
	for _, name := range names {
		f, _ := os.Open(name)
		defer f.Close()
	}
}
