package webpage

import (
	"strings"
	"testing"
)

func TestStack(t *testing.T) {
	got := string(Stack([]Part{
		{Name: "<b>own", Value: 3, Label: "75%", Class: "cost-0"},
		{Name: "nothing", Value: 0, Label: "0%", Class: "cost-1"},
		{Name: "GC", Value: 1, Label: "25%", Class: "cost-2"},
	}))
	for _, want := range []string{
		`<rect class="cost-0" x="0.00%" width="75.00%"`, `<rect class="cost-2" x="75.00%" width="25.00%"`, "&lt;b&gt;own <b>75%</b>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s lacks %s", got, want)
		}
	}
	if strings.Contains(got, "nothing") {
		t.Errorf("%s shows a part that is nothing", got)
	}
	if empty := Stack([]Part{{Name: "live heap"}}); empty != "" {
		t.Errorf("parts without a sum are drawn: %s", empty)
	}
}
