package compose

import (
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"go.yaml.in/yaml/v3"
)

func load(t *testing.T) *types.Project {
	t.Helper()
	p, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: ".", ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml"}}})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The services find each other, and only this machine reaches those that are meant for people.
func TestServices(t *testing.T) {
	p := load(t)
	reaches := func(from, address string) {
		t.Helper()
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := p.Services[from].DependsOn[u.Hostname()]; !ok || u.Port() != "4040" {
			t.Errorf("%s asks %s, which it does not depend on", from, address)
		}
	}
	for _, arg := range p.Services["serve"].Command {
		if address, ok := strings.CutPrefix(arg, "-from=pyroscope="); ok {
			reaches("serve", address)
		}
	}
	var provisioned struct {
		Datasources []struct{ Type, URL string }
	}
	if err := yaml.Unmarshal([]byte(p.Configs["datasources"].Content), &provisioned); err != nil || len(provisioned.Datasources) != 1 {
		t.Fatal(provisioned, err)
	}
	reaches("grafana", provisioned.Datasources[0].URL)
	published := map[string][]string{}
	for name, s := range p.Services {
		for _, port := range s.Ports {
			if ip := net.ParseIP(port.HostIP); ip == nil || !ip.IsLoopback() {
				t.Errorf("%s: others reach port %s", name, port.Published)
			}
			published[name] = append(published[name], port.Published)
		}
		if pinned := regexp.MustCompile(`:\d+\.\d+\.\d+$`).MatchString(s.Image); !pinned && s.Build == nil {
			t.Errorf("%s: the image %s has no version", name, s.Image)
		}
		if !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.Privileged {
			t.Errorf("%s may do more than it needs", name)
		}
	}
	if len(published["pyroscope"]) > 0 || len(published["serve"]) != 1 || len(published["grafana"]) != 1 {
		t.Error(published)
	}
}

// The Pyroscope keeps everything in its volume, in the layout that serve is measured with.
func TestPyroscope(t *testing.T) {
	p := load(t).Services["pyroscope"]
	if !slices.Contains(p.Command, "-architecture.storage=v2") {
		t.Errorf("the old layout: %q", p.Command)
	}
	folders := 0
	for _, arg := range p.Command {
		if _, value, _ := strings.Cut(arg, "="); strings.HasPrefix(value, "/") {
			folders++
			if !strings.HasPrefix(value, p.Volumes[0].Target+"/") {
				t.Errorf("%s is in no volume", arg)
			}
		}
	}
	if folders != 3 {
		t.Errorf("objects, index and log have %d folders: %q", folders, p.Command)
	}
}

// The program takes its arguments, and finds the files that they name in the container.
func TestServe(t *testing.T) {
	serve := load(t).Services["serve"]
	dockerfile, err := os.ReadFile(filepath.Join(serve.Build.Context, serve.Build.Dockerfile))
	if err != nil {
		t.Fatal(err)
	}
	mounted := map[string]bool{"/run/secrets": true}
	for _, v := range serve.Volumes {
		mounted[v.Target] = true
		if v.Type == "volume" && !strings.Contains(string(dockerfile), "--chown=65532:65532 "+v.Target+" "+v.Target+"\n") {
			t.Errorf("the image has no %s for its user, who could not write in the volume", v.Target)
		}
	}
	secrets := map[string]bool{}
	for _, s := range serve.Secrets {
		secrets["/run/secrets/"+s.Source] = true
	}
	folder := t.TempDir()
	var args []string
	for _, arg := range serve.Command {
		name, value, ok := strings.Cut(arg, "=")
		switch {
		case ok && strings.HasPrefix(value, "/run/secrets/"):
			if !secrets[value] {
				t.Errorf("%s is no secret of the service", arg)
			}
			arg = name + "=" + filepath.Join(folder, filepath.Base(value))
			if err := os.WriteFile(filepath.Join(folder, filepath.Base(value)), []byte("token\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		case ok && strings.HasPrefix(value, "/"):
			if !mounted[filepath.Dir(value)] {
				t.Errorf("%s is in no volume", arg)
			}
			arg = name + "=" + filepath.Join(folder, value)
		}
		args = append(args, strings.ReplaceAll(arg, "0.0.0.0:7070", "127.0.0.1:0"))
	}
	bin := filepath.Join(t.TempDir(), "heapwright.exe")
	build := exec.Command("go", "build", "-o", bin, "./cmd/heapwright")
	build.Dir, build.Env = serve.Build.Context, append(os.Environ(), "GOWORK=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(bin, append(args, "-for=1s")...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
