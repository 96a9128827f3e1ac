package collect

import (
	"expvar"
	"net/http/httptest"
	"runtime/debug"
	"testing"
)

// The lines that docs/collect.md gives a service publish its build information.
func TestServicePublishesItsBuild(t *testing.T) {
	info, _ := debug.ReadBuildInfo()
	expvar.Publish("buildinfo", expvar.Func(func() any { return info }))
	answer := httptest.NewRecorder()
	expvar.Handler().ServeHTTP(answer, httptest.NewRequest("GET", "/debug/vars", nil))
	if b := buildOf(answer.Body.Bytes(), nil); b.GoVersion != info.GoVersion || b.Path != info.Path {
		t.Errorf("read %s of %s, published %s of %s", b.GoVersion, b.Path, info.GoVersion, info.Path)
	}
}
