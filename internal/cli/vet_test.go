package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Exit codes tell a command that failed from packages that cannot be checked.
func TestVetExitCodes(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("GOWORK", "off")
	for name, text := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m.go": "package m\n\nimport _ \"example.com/missing\"\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for _, test := range []struct {
		ctx  context.Context
		args []string
		want int
	}{
		{t.Context(), []string{"."}, exitIncomplete},
		{t.Context(), []string{"./nowhere"}, exitFailed},
		{t.Context(), []string{"-profile", "a,", "."}, exitUsage},
		{interrupted, []string{"."}, exitFailed},
	} {
		stderr, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		code := Main(test.ctx, Env{Stdout: os.Stdout, Stderr: stderr}, append([]string{"vet", "-C", dir}, test.args...))
		text, err := os.ReadFile(stderr.Name())
		if err := errors.Join(err, stderr.Close()); err != nil {
			t.Fatal(err)
		}
		if code != test.want {
			t.Errorf("vet %q: exit code %d, want %d; %s", test.args, code, test.want, text)
		}
		if test.ctx == interrupted && string(text) != "heapwright vet: interrupted\n" {
			t.Errorf("after an interrupt: %q", text)
		}
	}
}
