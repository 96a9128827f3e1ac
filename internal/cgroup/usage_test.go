package cgroup

import "testing"

func TestParseStat(t *testing.T) {
	for _, test := range []struct {
		text string
		want Usage
	}{
		{"anon 4096\nfile 1000000\nkernel 5000\nshmem 100000\nfile_mapped 200000\n", Usage{PageCache: 700000, Kernel: 5000}},
		{"cache 1000000\nrss 10\nshmem 0\nmapped_file 300000\n", Usage{PageCache: 700000}},
		{"file -5\nnonsense\nkernel 99999999999999999999\n\x00", Usage{}},
	} {
		if got := parseStat(test.text); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.text, got, test.want)
		}
	}
}

// The root group holds everybody, and is no group of the process's.
func TestUsageOfNoProcess(t *testing.T) {
	if u, ok := UsageOf(1 << 30); ok {
		t.Errorf("no process uses %+v", u)
	}
}
