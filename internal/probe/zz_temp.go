package probe

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/heapwright/heapwright/internal/mode"
	"github.com/heapwright/heapwright/internal/result"
)

type Kind int

const (
	Main Kind = iota
	Test
	ExternalTest
)

func Inject(dir, pkgDir, name string, k Kind) (map[string]string, error) {
	return map[string]string{}, nil
}
func Missing() map[string]string { return nil }
func ThisMachine() result.Machine {
	return result.Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: 2}
}
func CopyBinary(src, dir string) (string, error) {
	in, err := os.Open(src)
	if err != nil {
		return "", err
	}
	defer in.Close()
	dst := filepath.Join(dir, filepath.Base(src))
	out, err := os.OpenFile(dst, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return "", err
	}
	io.Copy(struct{ io.Writer }{out}, in)
	return dst, out.Close()
}
func Binary(path string) (mode.Identity, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return mode.Identity{}, err
	}
	data, _ := os.ReadFile(path)
	s := sha256.Sum256(data)
	id := mode.Identity{GoVersion: info.GoVersion, Settings: map[string]string{}, BinarySHA256: hex.EncodeToString(s[:])}
	for _, x := range info.Settings {
		id.Settings[x.Key] = x.Value
	}
	return id, nil
}
