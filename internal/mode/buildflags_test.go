package mode

import "testing"

func TestInstrumented(t *testing.T) {
	for flags, want := range map[string]string{"": "", "-mod=vendor": "", "-race": "-race", "-mod=mod -race=true": "-race", "-race=false": "", "-cover": "-cover"} {
		c := Config{Go: &Toolchain{Env: map[string]string{"GOFLAGS": flags}}}
		if got := c.Instrumented(); got != want {
			t.Errorf("GOFLAGS=%s: %q, want %q", flags, got, want)
		}
	}
}
