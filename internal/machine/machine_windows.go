package machine

import (
	"fmt"
	"os"

	"golang.org/x/sys/windows"
)

// The memory is not known: golang.org/x/sys does not have the call.
func systemFacts() (kernel, cpu string, memory int64) {
	v := windows.RtlGetVersion()
	kernel = fmt.Sprintf("%d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber)
	return kernel, os.Getenv("PROCESSOR_IDENTIFIER"), 0
}
