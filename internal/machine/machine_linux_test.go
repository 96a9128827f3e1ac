package probe

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestThisMachine(t *testing.T) {
	m := ThisMachine()
	if m.OS != "linux" || m.Arch != runtime.GOARCH || m.Cores < 1 || m.Kernel == "" || m.CPU == "" || m.Memory < 64<<20 {
		t.Errorf("%+v", m)
	}
}

func TestCPUName(t *testing.T) {
	for info, want := range map[string]string{
		"processor\t: 0\nmodel name\t: Intel(R) Xeon(R)\n\nprocessor\t: 1\nmodel name\t: other\n": "Intel(R) Xeon(R)",
		"processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n":                            "implementer 0x41 part 0xd0c",
		"": "",
	} {
		if got := cpuName([]byte(info)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestCgroupLimit(t *testing.T) {
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
		if got, ok := cgroupLimit(self, mount); got != tt.want || ok != (tt.want != 0) {
			t.Errorf("%s: %d %v, want %d", name, got, ok, tt.want)
		}
	}
}
