package kubernetes

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// manifests are the objects of collect.yaml.
type manifests struct {
	config  core.ConfigMap
	account core.ServiceAccount
	claim   core.PersistentVolumeClaim
	job     batch.CronJob
}

func read(t *testing.T) (m manifests) {
	t.Helper()
	decode(t, "collect.yaml", map[meta.TypeMeta]any{
		{APIVersion: "v1", Kind: "ConfigMap"}:             &m.config,
		{APIVersion: "v1", Kind: "ServiceAccount"}:        &m.account,
		{APIVersion: "v1", Kind: "PersistentVolumeClaim"}: &m.claim,
		{APIVersion: "batch/v1", Kind: "CronJob"}:         &m.job,
	})
	return m
}

// decode decodes a file as strictly as an API server can: it refuses unknown, duplicate
// and misspelt fields.
func decode(t *testing.T, name string, objects map[meta.TypeMeta]any) {
	t.Helper()
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range bytes.Split(file, []byte("\n---\n")) {
		text, err := yaml.YAMLToJSONStrict(doc)
		if err != nil {
			t.Fatalf("%v in:\n%s", err, doc)
		}
		var kind meta.TypeMeta
		if err := json.UnmarshalCaseSensitivePreserveInts(text, &kind); err != nil {
			t.Fatal(err)
		}
		into := objects[kind]
		if into == nil {
			t.Fatalf("%+v is not known here, or is there twice", kind)
		}
		delete(objects, kind)
		strict, err := json.UnmarshalStrict(text, into)
		if err := errors.Join(append(strict, err)...); err != nil {
			t.Fatalf("%s: %v", kind.Kind, err)
		}
	}
	for kind := range objects {
		t.Errorf("there is no %s", kind.Kind)
	}
}

// Strict decoding does not know which words a field may have; an API server does.
func TestWordsThatTheAPIKnows(t *testing.T) {
	m := read(t)
	job := m.job.Spec.JobTemplate.Spec
	pod := job.Template.Spec
	known := func(field string, got any, words ...any) {
		if !slices.Contains(words, got) {
			t.Errorf("%s: %v, want one of %v", field, got, words)
		}
	}
	known("concurrencyPolicy", m.job.Spec.ConcurrencyPolicy, batch.AllowConcurrent, batch.ForbidConcurrent, batch.ReplaceConcurrent)
	known("restartPolicy", pod.RestartPolicy, core.RestartPolicyNever, core.RestartPolicyOnFailure) // of a job
	known("seccompProfile", pod.SecurityContext.SeccompProfile.Type, core.SeccompProfileTypeRuntimeDefault, core.SeccompProfileTypeUnconfined)
	for _, mode := range m.claim.Spec.AccessModes {
		known("accessModes", mode, core.ReadWriteOnce, core.ReadWriteOncePod, core.ReadWriteMany)
	}
	for _, rule := range job.PodFailurePolicy.Rules {
		known("action", rule.Action, batch.PodFailurePolicyActionFailJob, batch.PodFailurePolicyActionFailIndex,
			batch.PodFailurePolicyActionIgnore, batch.PodFailurePolicyActionCount)
		known("operator", rule.OnExitCodes.Operator, batch.PodFailurePolicyOnExitCodesOpIn, batch.PodFailurePolicyOnExitCodesOpNotIn)
	}
	for _, c := range pod.Containers {
		for _, word := range c.SecurityContext.Capabilities.Drop {
			known("drop", word, core.Capability("ALL"))
		}
		known("imagePullPolicy", c.ImagePullPolicy, core.PullPolicy(""), core.PullAlways, core.PullIfNotPresent, core.PullNever)
	}
}

func TestManifestsBelongTogether(t *testing.T) {
	m := read(t)
	pod := m.job.Spec.JobTemplate.Spec.Template.Spec
	if pod.ServiceAccountName != m.account.Name {
		t.Errorf("service account %q, which is not there", pod.ServiceAccountName)
	}
	if got := pod.Volumes[0].PersistentVolumeClaim.ClaimName; got != m.claim.Name {
		t.Errorf("claim %q, which is not there", got)
	}
	c := pod.Containers[0]
	if got := c.EnvFrom[0].ConfigMapRef.Name; got != m.config.Name {
		t.Errorf("config map %q, which is not there", got)
	}
	if c.VolumeMounts[0].Name != pod.Volumes[0].Name || !slices.Contains(c.Args, c.VolumeMounts[0].MountPath) {
		t.Errorf("files are not written to the volume: %q", c.Args)
	}
	if len(strings.Fields(m.job.Spec.Schedule)) != 5 {
		t.Errorf("schedule %q", m.job.Spec.Schedule)
	}
	rule := m.job.Spec.JobTemplate.Spec.PodFailurePolicy.Rules[0].OnExitCodes
	if *rule.ContainerName != c.Name || pod.RestartPolicy != core.RestartPolicyNever {
		t.Errorf("the rule for exit codes never holds: %q, restart %s", *rule.ContainerName, pod.RestartPolicy)
	}
}

// The command takes the arguments as the kubelet expands them, and ends with the
// exit codes that the job acts on.
func TestArgumentsAndExitCodes(t *testing.T) {
	m := read(t)
	bin := filepath.Join(t.TempDir(), "heapwright.exe")
	build := exec.Command("go", "build", "-o", bin, "./cmd/heapwright")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	spec := m.job.Spec.JobTemplate.Spec
	c := spec.Template.Spec.Containers[0]
	run := func(url string) (int, string) {
		m.config.Data["URL"] = url
		var args []string
		for _, arg := range c.Args {
			for name, value := range m.config.Data {
				arg = strings.ReplaceAll(arg, "$("+name+")", value)
			}
			args = append(args, strings.ReplaceAll(arg, c.VolumeMounts[0].MountPath, t.TempDir()))
		}
		cmd := exec.Command(bin, args...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), string(out)
	}
	final := spec.PodFailurePolicy.Rules[0].OnExitCodes.Values
	if code, out := run("http://127.0.0.1:1"); code != 1 || slices.Contains(final, 1) || !strings.Contains(out, "http://127.0.0.1:1/debug/pprof/heap") {
		t.Errorf("nobody there: exit code %d, final are %d:\n%s", code, final, out)
	}
	service := http.NewServeMux() // of which a part fails
	service.Handle("/debug/pprof/heap", pprof.Handler("heap"))
	service.HandleFunc("/debug/pprof/", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	server := httptest.NewServer(service)
	defer server.Close()
	m.config.Data["DURATION"] = "1s"
	if code, out := run(server.URL); code != 4 || !slices.Contains(final, 4) {
		t.Errorf("a part failed: exit code %d, final are %d:\n%s", code, final, out)
	}
	if code, out := run("no://such"); code != 2 || !slices.Contains(final, 2) {
		t.Errorf("no URL: exit code %d, final are %d:\n%s", code, final, out)
	}
}
