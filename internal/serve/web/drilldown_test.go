package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestDrilldown makes the requests of Grafana's Profiles Drilldown in its words: names of fields
// in both of their forms, numbers as numbers, and formats that are newer than this server.
func TestDrilldown(t *testing.T) {
	h, _ := fleet(t, Access{})
	for _, service := range []string{"shop", "pay"} {
		if w := request(h, "POST", "/api/push/"+service+"?pod=a", heap(t)); w.Code != 200 {
			t.Fatal(w.Code, w.Body)
		}
	}
	now := time.Now().UnixMilli()
	const kind = "memory:inuse_objects:count:space:bytes"
	times := fmt.Sprintf(`"start":%d,"end":%d`, now-3600e3, now+60e3)
	selection := `"profileTypeID":"` + kind + `","labelSelector":"{service_name=\"shop\"}",` + times
	for _, c := range []struct {
		method, body string
		want         string // in the answer, without spaces
		never        string
	}{
		{"querier.v1.QuerierService/Series", `{` + times + `,"labelNames":["service_name","__profile_type__"],"matchers":[]}`,
			`{"labels":[{"name":"__profile_type__","value":"` + kind + `"},{"name":"service_name","value":"pay"}]}`, ""},
		{"querier.v1.QuerierService/LabelNames", `{"matchers":["{__profile_type__=\"` + kind + `\", service_name=\"shop\"}"],` + times + `}`, `"pod"`, ""},
		{"querier.v1.QuerierService/LabelValues", `{"name":"service_name","matchers":["{__profile_type__=\"` + kind + `\"}"],` + times + `}`, `{"names":["pay","shop"]}`, ""},
		{"querier.v1.QuerierService/GetProfileStats", `{}`, `"dataIngested":true`, ""},
		{"querier.v1.QuerierService/AnalyzeQuery", `{"query":"` + kind + `{service_name=\"shop\"}",` + times + `}`, `"profileCount":"1"`, ""},
		{"querier.v1.QuerierService/SelectMergeProfile", `{"profile_typeID":"` + kind + `","label_selector":"{service_name=\"shop\"}",` + times +
			`,"stackTraceSelector":{"call_site":[{"name":"runtime.main"}]},"maxNodes":500}`, `"value":["100"]`, ""},
		{"querier.v1.QuerierService/SelectMergeProfile", `{"profile_typeID":"` + kind + `","label_selector":"{service_name=\"shop\"}",` + times +
			`,"stackTraceSelector":{"call_site":[],"frameFilter":{"excludeFunctionNameRegexes":["^fmt"]}},"maxNodes":500}`, `{`, `"100"`},
		{"querier.v1.QuerierService/SelectMergeStacktraces", `{` + selection + `,"format":"PROFILE_FORMAT_FUNCTIONS","maxNodes":null}`, `"total":"100"`, `"functions"`},
		{"querier.v1.QuerierService/SelectMergeStacktraces", `{` + selection + `,"format":"PROFILE_FORMAT_SANDWICH","sandwichFunction":"fmt.Sprintf","maxNodes":9}`, `"total":"100"`, `"sandwich"`},
		{"querier.v1.QuerierService/Diff", `{"left":{` + selection + `},"right":{` + selection + `},"format":"PROFILE_FORMAT_FUNCTIONS","maxNodes":null}`, `"rightTicks":"100"`, `"functions"`},
		{"settings.v1.SettingsService/Get", `{}`, `{}`, ""},
	} {
		w := request(h, "POST", "/"+c.method, []byte(c.body), "Content-Type", "application/json", "X-Grafana-Org-Id", "1",
			"Accept", "application/json; allow-utf8-labelnames=true")
		got := strings.ReplaceAll(strings.ReplaceAll(w.Body.String(), `": `, `":`), `, "`, `,"`)
		if got = strings.ReplaceAll(got, "}, {", "},{"); w.Code != 200 || !strings.Contains(got, c.want) || c.never != "" && strings.Contains(got, c.never) {
			t.Errorf("%s: %d %.500s, want %s and never %s", c.method, w.Code, got, c.want, c.never)
		}
	}
	query := kind + `%7Bservice_name%3D%22shop%22%7D`
	for address, want := range map[string]string{
		fmt.Sprintf("/pyroscope/render?query=%s&from=%d&until=%d&format=json&max-nodes=16384", query, now-3600e3, now+60e3): `"single"`,
		fmt.Sprintf("/pyroscope/render-diff?leftQuery=%s&leftFrom=%d&leftUntil=%d&rightQuery=%[1]s&rightFrom=%[2]d&rightUntil=%[3]d&max-nodes=16384",
			query, now-3600e3, now+60e3): `"double"`,
	} {
		w := request(h, "GET", address, nil)
		var d struct {
			Flamebearer struct{ Levels [][]int64 }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || w.Code != 200 || len(d.Flamebearer.Levels) < 3 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d %.300s", address, w.Code, w.Body)
		}
	}
}
