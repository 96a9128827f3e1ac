package mode

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestForeign(t *testing.T) {
	file := filepath.Join(t.TempDir(), "modes.toml")
	if err := os.WriteFile(file, []byte("[[mode]]\nname = \"a\"\nsettings = [\"CC=/x\", \"GOGC=50\"]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		choice Choice
		want   []string
	}{
		{Choice{}, nil},
		{Choice{List: "default,GOGC=50+GOAMD64=v3,tags=x,pgo,rev=main,flags=-gcflags=-l,NAME=/bin/x,arenas"}, nil},
		{Choice{List: "go1.27.4+GOGC=50,CXX=/x,CC_FOR_TARGET=/x,PKG_CONFIG=/x"}, []string{"go1.27.4", "CXX=/x", "CC_FOR_TARGET=/x", "PKG_CONFIG=/x"}},
		{Choice{List: "GOCACHEPROG=/x,GOAUTH=/x,CGO_CFLAGS=-fplugin=/x,LD_PRELOAD=/x,PATH=/x"}, []string{"GOCACHEPROG=/x", "GOAUTH=/x", "CGO_CFLAGS=-fplugin=/x", "LD_PRELOAD=/x", "PATH=/x"}},
		{Choice{List: "flags=-ldflags=-extld=/x"}, []string{"flags=-ldflags=-extld=/x"}},
		{Choice{List: "CC"}, nil}, // Choose refuses it
		{Choice{File: file}, []string{"CC=/x"}},
		{Choice{File: file + ".gone"}, nil},
	} {
		if got := Foreign(t.Context(), test.choice); !slices.Equal(got, test.want) {
			t.Errorf("%+v: %q, want %q", test.choice, got, test.want)
		}
	}
	for _, list := range []string{"flags=-toolexec=/x", "flags=-exec=/x", "GOFLAGS=-toolexec=/x", "GOTOOLCHAIN=/x"} {
		if _, err := Parse(list); err == nil {
			t.Errorf("%s is taken", list)
		}
	}
}
