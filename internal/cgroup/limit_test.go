package cgroup

import (
	"os"
	"path/filepath"
	"testing"
)

func TestLimit(t *testing.T) {
	for name, tt := range map[string]struct {
		self  string
		files map[string]string
		want  int64 // 0 is none
	}{
		"version 2, a parent is tighter": {
			"0::/a/b\n", map[string]string{"a/b/memory.max": "max\n", "a/memory.max": "1048576\n"}, 1 << 20,
		},
		"version 1": {
			"5:cpu,cpuacct:/x\n4:memory:/a\n0::/\n",
			map[string]string{"memory/a/memory.limit_in_bytes": "4096\n", "memory/memory.limit_in_bytes": "9223372036854771712\n"}, 4096,
		},
		"in a container, which shows only its own group": {
			"0::/host/path\n", map[string]string{"memory.max": "77\n"}, 77,
		},
		"none": {"0::/\n", nil, 0},
	} {
		mount := t.TempDir()
		for file, text := range tt.files {
			path := filepath.Join(mount, file)
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		self := filepath.Join(t.TempDir(), "cgroup")
		if err := os.WriteFile(self, []byte(tt.self), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := limit(self, mount); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
}
