package kubernetes

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	rbac "k8s.io/api/rbac/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The objects of serve.yaml belong together, and the program takes its arguments.
func TestServe(t *testing.T) {
	var account core.ServiceAccount
	var role rbac.ClusterRole
	var binding rbac.ClusterRoleBinding
	var service core.Service
	var set apps.StatefulSet
	decode(t, "serve.yaml", map[meta.TypeMeta]any{
		{APIVersion: "v1", Kind: "ServiceAccount"}:                               &account,
		{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole"}:        &role,
		{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRoleBinding"}: &binding,
		{APIVersion: "v1", Kind: "Service"}:                                      &service,
		{APIVersion: "apps/v1", Kind: "StatefulSet"}:                             &set,
	})
	pod := set.Spec.Template
	if binding.RoleRef.Name != role.Name || binding.Subjects[0].Name != account.Name || pod.Spec.ServiceAccountName != account.Name {
		t.Errorf("role %q of %q for pods of %q", binding.RoleRef.Name, binding.Subjects[0].Name, pod.Spec.ServiceAccountName)
	}
	for name, value := range service.Spec.Selector {
		if pod.Labels[name] != value || set.Spec.Selector.MatchLabels[name] != value {
			t.Errorf("the service selects no pod: %s=%s", name, value)
		}
	}
	if !slices.Equal(role.Rules[0].Verbs, []string{"list"}) {
		t.Errorf("more than list: %q", role.Rules[0].Verbs)
	}

	bin, folder := filepath.Join(t.TempDir(), "heapwright.exe"), t.TempDir()
	build := exec.Command("go", "build", "-o", bin, "./cmd/heapwright")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"readers", "writers"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("token\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var args []string
	for _, arg := range pod.Spec.Containers[0].Args {
		arg = strings.ReplaceAll(arg, "=/tokens", "="+folder)
		arg = strings.ReplaceAll(arg, "=/profiles", "="+folder)
		args = append(args, strings.ReplaceAll(arg, "0.0.0.0:7070", "127.0.0.1:0"))
	}
	if out, err := exec.Command(bin, append(args, "-for=1s")...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
