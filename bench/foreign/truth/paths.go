package truth

// Paths are paths of public modules that no release mended: taken for the changes
// alone, each with a benchmark of our own.
var Paths = []*Release{
	{
		Name: "natsort", Path: "github.com/facette/natsort", Before: "v0.0.0-20181210072756-2cd4dd1e2dcb", Package: ".",
		Benchmark: `package natsort_test

import (
	"fmt"
	"testing"

	"github.com/facette/natsort"
)

func BenchmarkRelease(b *testing.B) {
	var names, room [64]string
	for i := range names {
		names[i] = fmt.Sprintf("chapter%dpage%d.txt", i*37%64, i*11%23)
	}
	for i := 0; i < b.N; i++ {
		room = names
		natsort.Sort(room[:])
	}
}
`,
	},
	{
		Name: "html-diff", Path: "github.com/aryann/difflib", Before: "v0.0.0-20210328193216-ff5ff6dc229b", Package: ".",
		Benchmark: `package difflib_test

import (
	"fmt"
	"testing"

	"github.com/aryann/difflib"
)

func BenchmarkRelease(b *testing.B) {
	var was, is []string
	for i := 0; i < 200; i++ {
		line := fmt.Sprintf("line %d of a page", i)
		was, is = append(was, line), append(is, line)
		if i > 95 && i < 105 && i%3 == 0 {
			is[i] = "another line"
		}
	}
	for i := 0; i < b.N; i++ {
		difflib.HTMLDiff(was, is)
	}
}
`,
	},
	{
		Name: "unified-diff", Path: "github.com/pmezard/go-difflib", Before: "v1.0.0", Package: "difflib",
		Benchmark: `package difflib_test

import (
	"fmt"
	"testing"

	"github.com/pmezard/go-difflib/difflib"
)

func BenchmarkRelease(b *testing.B) {
	var was, is []string
	for i := 0; i < 100; i++ {
		line := fmt.Sprintf("line %d of a page\n", i)
		was, is = append(was, line), append(is, line)
		if i%20 == 7 {
			is[i] = "another line\n"
		}
	}
	for i := 0; i < b.N; i++ {
		if _, err := difflib.GetUnifiedDiffString(difflib.UnifiedDiff{A: was, B: is, Context: 3}); err != nil {
			b.Fatal(err)
		}
	}
}
`,
	},
	{
		Name: "anchor-name", Path: "github.com/shurcooL/sanitized_anchor_name", Before: "v1.0.0", Package: ".",
		Benchmark: `package sanitized_anchor_name_test

import (
	"testing"

	sanitized_anchor_name "github.com/shurcooL/sanitized_anchor_name"
)

func BenchmarkRelease(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sanitized_anchor_name.Create("What a program allocates, and what it pays for it: a guide")
	}
}
`,
	},
	{
		Name: "semver", Path: "github.com/Masterminds/semver/v3", Before: "v3.4.0", Package: ".",
		Benchmark: `package semver_test

import (
	"testing"

	"github.com/Masterminds/semver/v3"
)

func BenchmarkRelease(b *testing.B) {
	v := semver.MustParse("v1.22.333")
	for i := 0; i < b.N; i++ {
		v.IncPatch()
	}
}
`,
	},
	{
		Name: "humanize", Path: "github.com/dustin/go-humanize", Before: "v1.1.0", Package: ".",
		Benchmark: `package humanize_test

import (
	"testing"

	"github.com/dustin/go-humanize"
)

func BenchmarkRelease(b *testing.B) {
	for i := 0; i < b.N; i++ {
		humanize.Bytes(82854982)
	}
}
`,
	},
	{
		Name: "line-diff", Path: "github.com/kylelemons/godebug", Before: "v1.1.0", Package: "diff",
		Benchmark: `package diff_test

import (
	"strings"
	"testing"

	"github.com/kylelemons/godebug/diff"
)

func BenchmarkRelease(b *testing.B) {
	page := strings.Repeat("a line\nanother line\n", 100)
	was, is := page+"the end\n"+page, page+"the middle\n"+page
	for i := 0; i < b.N; i++ {
		diff.Diff(was, is)
	}
}
`,
	},
	{
		Name: "cell-width", Path: "github.com/mattn/go-runewidth", Before: "v0.0.16", Package: ".",
		Benchmark: `package runewidth_test

import (
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"
)

func BenchmarkRelease(b *testing.B) {
	words := strings.Repeat("all of these words are wrapped ", 10)
	for i := 0; i < b.N; i++ {
		runewidth.Wrap(words, 60)
	}
}
`,
	},
	{
		Name: "toml-encode", Path: "github.com/BurntSushi/toml", Before: "v1.6.0", Package: ".",
		Benchmark: `package toml_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/BurntSushi/toml"
)

func BenchmarkRelease(b *testing.B) {
	ages := map[string]int{}
	for i := 0; i < 40; i++ {
		ages[fmt.Sprintf("name%02d", i)] = 1000 + i
	}
	for i := 0; i < b.N; i++ {
		if err := toml.NewEncoder(io.Discard).Encode(ages); err != nil {
			b.Fatal(err)
		}
	}
}
`,
	},
	{
		Name: "dns-svcb", Path: "github.com/miekg/dns", Before: "v1.1.73", Package: ".",
		Benchmark: `package dns_test

import (
	"net"
	"testing"

	"github.com/miekg/dns"
)

func BenchmarkRelease(b *testing.B) {
	record := &dns.HTTPS{SVCB: dns.SVCB{
		Hdr:      dns.RR_Header{Name: "example.org.", Rrtype: dns.TypeHTTPS, Class: dns.ClassINET, Ttl: 60},
		Priority: 1, Target: "svc.example.org.",
		Value: []dns.SVCBKeyValue{
			&dns.SVCBPort{Port: 8443},
			&dns.SVCBAlpn{Alpn: []string{"h3", "h2"}},
			&dns.SVCBIPv6Hint{Hint: []net.IP{net.ParseIP("2001:db8::1")}},
			&dns.SVCBIPv4Hint{Hint: []net.IP{net.IPv4(192, 0, 2, 1).To4()}},
			&dns.SVCBNoDefaultAlpn{},
		},
	}}
	room := make([]byte, 512)
	for i := 0; i < b.N; i++ {
		if _, err := dns.PackRR(record, room, 0, nil, false); err != nil {
			b.Fatal(err)
		}
	}
}
`,
	},
}
