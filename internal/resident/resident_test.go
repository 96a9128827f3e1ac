package resident

import (
	"bytes"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
)

const sample = `00400000-00b1c000 r-xp 00000000 08:01 131 /usr/bin/my server
Size:               7280 kB
Rss:                4096 kB
Pss:                2048 kB
c000000000-c000400000 rw-p 00000000 00:00 0
Rss:                3000 kB
c000400000-c004000000 rw-p 00000000 00:00 0 [anon: Go: heap]
Rss:                1000 kB
7f0000000000-7f0000021000 rw-p 00000000 00:00 0 [anon: Go: page alloc]
Rss:                  12 kB
7f1000000000-7f1010000000 rw-p 00000000 00:00 0
Rss:               20000 kB
02000000-02100000 rw-p 00000000 00:00 0 [heap]
Rss:                 500 kB
7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0 [stack]
Rss:                  16 kB
7f2000000000-7f2010000000 r--s 00000000 08:01 132 /var/lib/geo.db (deleted)
Rss:                 900 kB
7f2100000000-7f2110000000 r--s 00000000 08:01 132 /var/lib/geo.db (deleted)
Rss:                 900 kB
VmFlags: rd sh mr mw me ms
7f3000000000-7f3010000000 ---p 00000000 00:00 0
Rss:                   0 kB
`

func TestParse(t *testing.T) {
	m, err := Parse(strings.NewReader(sample))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range m.Mappings {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s", x.Kind, x.Name))+fmt.Sprintf(" %d", x.Bytes>>10))
	}
	want := "file /usr/bin/my server 4096, Go heap 4000, Go runtime 12, anonymous 20000, C heap 500, stack 16, file /var/lib/geo.db (deleted) 1800"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if m.Bytes>>10 != 4096+4000+12+20000+500+16+1800 || m.Written()>>10 != 4012+20000+500+16 {
		t.Errorf("%d KiB in all, %d written", m.Bytes>>10, m.Written()>>10)
	}
}

// What is no smaps, is cut off or forged is an error or a sum that is not above it.
func TestBadSmaps(t *testing.T) {
	for _, text := range []string{"", "Rss: 12 kB\n", "not-a mapping\n", "00400000-00b1c000 r-xp 0 0 0\nRss: many kB\n",
		"00400000-00b1c000 r-xp 0 0 0\nRss: -5 kB\n", "00400000-00b1c000 r-xp 0 0 0\nRss: 9223372036854775807 kB\n", strings.Repeat("x", 1<<17)} {
		if m, err := Parse(strings.NewReader(text)); err == nil {
			t.Errorf("%.40q is read as %+v", text, m)
		}
	}
	var many bytes.Buffer
	for i := range maxMappings + 100 {
		fmt.Fprintf(&many, "%x-%x r--s 0 0 0 /f%d\nRss: 4 kB\n", i<<20, i<<20+4096, i)
	}
	m, err := Parse(&many)
	if err != nil || len(m.Mappings) != maxMappings+1 || m.Bytes != (maxMappings+100)*4096 {
		t.Errorf("of many files %d remain, %v", len(m.Mappings), err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := Parse(bytes.NewReader(text))
		if err != nil {
			return
		}
		sum := int64(0)
		for _, x := range m.Mappings {
			sum += x.Bytes
		}
		if sum != m.Bytes {
			t.Errorf("the mappings are %d bytes, the sum is %d", sum, m.Bytes)
		}
	})
}

// This process is found by the port that it listens on, and its memory is read.
func TestThisProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the mappings of a process are only read on Linux")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	pid, err := Listening(l.Addr().(*net.TCPAddr).Port)
	if err != nil || pid != os.Getpid() {
		t.Fatalf("process %d listens, %v; want %d", pid, err, os.Getpid())
	}
	m, err := Of(pid)
	if err != nil || m.Of(GoHeap, Anonymous) == 0 || m.Of(File) == 0 || m.Bytes < 1<<20 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := Of(1 << 30); err == nil {
		t.Error("the memory of no process is read")
	}
}
