package profile

import "testing"

func TestShortName(t *testing.T) {
	for name, want := range map[string]string{
		"net/http.(*conn).serve":                                     "http.(*conn).serve",
		"example.org/list.(*List[go.shape.int]).Add":                 "list.(*List[...]).Add",
		"example.org/m.F[go.shape.map[string]example.org/m.T].func1": "m.F[...].func1",
		"example.org/rule/v2.rule1":                                  "rule.rule1",
		"example.org/rule/v12.(*T[example.org/x/v3.T]).M":            "rule.(*T[...]).M",
		"example.org/rule/v2/sub.F":                                  "sub.F",
		"example.org/rule/v2":                                        "rule",
		"example.org/rule.v2.func1":                                  "rule.v2.func1", // a function v2
		"k8s.io/api/core/v1.F":                                       "v1.F",
		"gopkg.in/yaml%2ev3.(*Decoder).Decode":                       "yaml.(*Decoder).Decode",
		"gopkg.in/yaml.v3.Unmarshal":                                 "yaml.Unmarshal",
		"gopkg.in/fatih/pool%2ev2.v9.func1":                          "pool.v9.func1",
		"example.org/goja%2ejs.F":                                    "goja.js.F",
		"v2.F":                                                       "v2.F",
		"gopkg.in/yaml.v3":                                           "yaml",
		"main.main":                                                  "main.main",
		"m.F[unclosed":                                               "m.F[...]unclosed",
		"[libc.so.6]":                                                "[libc.so.6]",
		"":                                                           "",
	} {
		if got := ShortName(name); got != want {
			t.Errorf("ShortName(%q) is %q, want %q", name, got, want)
		}
	}
}
