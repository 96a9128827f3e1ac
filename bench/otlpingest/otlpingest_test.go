package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heapwright/heapwright/bench/internal/vtprotobuf"
)

// The receiver's own tests pass with the decoder that is generated here.
func TestReceiverWithGeneratedMethods(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the receiver")
	}
	receiver := filepath.Join("..", workload)
	workspace, err := vtprotobuf.Modules{vtprotobuf.OTLP: vtprotobuf.OTLPFiles}.Workspace(t.TempDir(), receiver)
	if err != nil {
		t.Fatal(err)
	}
	test := exec.Command("go", "test", "-v", "-run", "TestAllVariants", ".")
	test.Dir, test.Env = receiver, append(os.Environ(), "GOWORK="+workspace)
	out, err := test.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"TestAllVariantsReadJSON/vtprotobuf", "TestAllVariantsServeGRPC/vtprotobuf", "TestAllVariantsCountEqually/vtprotobuf"} {
		if !strings.Contains(string(out), "--- PASS: "+want) {
			t.Errorf("no %s passed:\n%s", want, out)
		}
	}
}
