package page

import (
	"reflect"
	"strings"
	"text/template"
	"time"

	"github.com/heapwright/heapwright/internal/format"
)

// functions are the functions of templates, of which arguments may be any numbers.
var functions = template.FuncMap{
	"div":      func(a, b any) float64 { return number(a) / number(b) },
	"percent":  func(a, b any) float64 { return 100 * (number(a) / number(b)) },
	"bytes":    func(v any) string { return format.Bytes(number(v)) },
	"count":    func(v any) string { return format.Count(number(v)) },
	"seconds":  func(v any) string { return format.Seconds(number(v)) },
	"platform": Platform,
}

// number converts any number. A duration is in seconds.
func number(v any) float64 {
	if d, ok := v.(time.Duration); ok {
		return d.Seconds()
	}
	r := reflect.ValueOf(v)
	if r.CanInt() {
		return float64(r.Int())
	}
	return r.Float()
}

// Fill returns the text of a template with the figures of data. The template is compiled
// into the program, so a fault in it is a fault of the program, and panics.
func Fill(text string, data any) string {
	var b strings.Builder
	if err := template.Must(template.New("").Funcs(functions).Parse(text)).Execute(&b, data); err != nil {
		panic(err)
	}
	return b.String()
}

// YesNo is the usual cell of a bar that is met or not.
func YesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
