//go:build ignore

package other

func TestMain() {}
