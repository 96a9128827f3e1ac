package arena

import (
	"context"
	"testing"
)

func TestContext(t *testing.T) {
	if FromContext(context.Background()) != nil {
		t.Error("a context without an arena has one")
	}
	a := NewArena()
	defer a.Free()
	if FromContext(NewContext(context.Background(), a)) != a {
		t.Error("the arena is not in the context")
	}
}
