package machine

import (
	"runtime"
	"testing"
)

func TestThis(t *testing.T) {
	m := This()
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
