package a

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"

	"example.com/h"
)

var (
	version string
	header  []byte
	names   = map[string]int{}
	titles  = map[int]string{}
	all     []string
	current info
	ptr     *info
	shared  sync.Map
	latest  atomic.Value
	state   struct{ id string }
	pattern = regexp.MustCompile(`v([0-9]+)`)
)

type info struct {
	name string
	raw  []byte
}

func file(name string) {
	data, _ := os.ReadFile(name)
	header = data[:16] // want `keeps all of it alive`
}

func text(name string) {
	data, _ := os.ReadFile(name)
	s := string(data)
	version = s[4:12] // want `keeps all of it alive`
}

func body(r io.Reader) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	magic := data[:4]
	header = magic // want `keeps all of it alive`
	return nil
}

func key(name string) {
	data, _ := os.ReadFile(name)
	names[string(data)[:8]] = 1 // want `keeps all of it alive`
}

func value(name string) {
	data, _ := os.ReadFile(name)
	titles[1] = strings.Fields(string(data))[0] // want `keeps all of it alive`
}

func cut(name string) {
	data, _ := os.ReadFile(name)
	first, _, _ := strings.Cut(string(data), "\n")
	version = strings.TrimSpace(first) // want `keeps all of it alive`
}

func split(name string) {
	data, _ := os.ReadFile(name)
	lines := strings.Split(string(data), "\n")
	version = lines[0] // want `keeps all of it alive`
}

func appended(name string) {
	data, _ := os.ReadFile(name)
	all = append(all, string(data)[:8]) // want `keeps all of it alive`
}

func inStruct(name string) {
	data, _ := os.ReadFile(name)
	current = info{name: name, raw: data[:8]} // want `keeps all of it alive`
}

func inPointer(name string) {
	data, _ := os.ReadFile(name)
	ptr = &info{raw: data[2:4]} // want `keeps all of it alive`
}

func field(name string) {
	data, _ := os.ReadFile(name)
	state.id = string(data)[:32] // want `keeps all of it alive`
}

func output() {
	out, _ := exec.Command("git", "log").Output()
	version = string(bytes.TrimSpace(out))[:40] // want `keeps all of it alive`
}

func buffer(r io.Reader) {
	var b bytes.Buffer
	b.ReadFrom(r)
	header = b.Bytes()[:8] // want `keeps all of it alive`
}

func builder(parts []string) {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p)
	}
	version = b.String()[:8] // want `keeps all of it alive`
}

func made(r io.Reader) {
	buf := make([]byte, 1<<20)
	n, _ := r.Read(buf)
	header = buf[:n] // want `keeps all of it alive`
}

func match(name string) {
	data, _ := os.ReadFile(name)
	m := pattern.FindStringSubmatch(string(data))
	if len(m) > 1 {
		version = m[1] // want `keeps all of it alive`
	}
}

func syncMap(name string) {
	data, _ := os.ReadFile(name)
	shared.Store(name, string(data)[:8]) // want `keeps all of it alive`
}

func atomicValue(name string) {
	data, _ := os.ReadFile(name)
	latest.Store(string(data)[:8]) // want `keeps all of it alive`
}

func helperReads(name string) {
	s := h.Read(name)
	version = s[:8] // want `keeps all of it alive`
}

func helperReadsBytes(r io.Reader) {
	b, _ := h.All(r)
	header = b[:8] // want `keeps all of it alive`
}

func helperCuts(name string) {
	data, _ := os.ReadFile(name)
	version = h.First(string(data)) // want `keeps all of it alive`
}

func helperSlices(name string) {
	data, _ := os.ReadFile(name)
	header = h.Prefix(data) // want `keeps all of it alive`
}

type cache struct {
	mu    sync.Mutex
	heads map[string]string
}

func (c *cache) add(name string) {
	data, _ := os.ReadFile(name)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads[name] = string(data)[:64] // want `keeps all of it alive`
}

func eachFile(files []string) {
	for _, name := range files {
		data, _ := os.ReadFile(name)
		titles[len(titles)] = string(data)[:8] // want `keeps all of it alive`
	}
}

func found(name string) {
	data, _ := os.ReadFile(name)
	for _, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(line, "version") {
			version = line // want `keeps all of it alive`
			break
		}
	}
}

// Clean functions.

func cloned(name string) {
	data, _ := os.ReadFile(name)
	version = strings.Clone(string(data)[:8])
	header = bytes.Clone(data[:8])
}

func converted(name string) {
	data, _ := os.ReadFile(name)
	version = string(data[:8])
}

func wholeFile(name string) {
	data, _ := os.ReadFile(name)
	header = data
}

func wholeToo(name string) {
	data, _ := os.ReadFile(name)
	current.raw = data
	header = data[:8]
}

func eachLine(name string) {
	data, _ := os.ReadFile(name)
	for _, line := range strings.Split(string(data), "\n") {
		names[line] = 1
	}
}

func copyToo(name string) {
	data, _ := os.ReadFile(name)
	current.name = string(data)
	header = data[:8] // want `keeps all of it alive`
}

func localOnly(name string) string {
	data, _ := os.ReadFile(name)
	return string(data)[:8]
}

func small(r io.Reader) {
	buf := make([]byte, 64)
	n, _ := r.Read(buf)
	header = buf[:n]
}

func copied(name string) {
	version = h.Copy(h.Read(name))
}

func replaced(name string) {
	data, _ := os.ReadFile(name)
	s := string(data)[:8]
	s = strings.Clone(s)
	version = s
}
