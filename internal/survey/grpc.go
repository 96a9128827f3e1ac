package survey

import (
	"regexp"

	"github.com/heapwright/heapwright/internal/input"
)

var (
	registers  = regexp.MustCompile(`\bRegister(\w+)Server\(`)
	reflection = regexp.MustCompile(`\breflection\.Register(V1)?\(`)
	// The description of a service in generated code, and in it a unary method.
	described = regexp.MustCompile(`(?s)ServiceName:\s+"((?:[\w.]+\.)?(\w+))".*?Streams:`)
	unary     = regexp.MustCompile(`MethodName:\s+"(\w+)"`)
	service   = regexp.MustCompile(`(?m)^service\s+(\w+)`)
)

// proto notes which services a .proto file describes.
func (m *Module) proto(name, rel string) error {
	text, err := input.ReadRegular(name, maxFile)
	for _, s := range service.FindAllSubmatch(text, -1) {
		m.protos[string(s[1])] = rel
	}
	return err
}

// method finds a unary method of a service that a main package registers.
func (m *Module) method(s *Main, closure []*source) {
	registered, reflects := map[string]bool{}, false
	for _, call := range registers.FindAllSubmatch(closure[0].text, -1) {
		registered[string(call[1])] = true
	}
	for _, p := range closure {
		reflects = reflects || reflection.Match(p.text)
	}
	for _, p := range closure {
		for _, d := range described.FindAllSubmatch(p.text, -1) {
			method := unary.FindSubmatch(d[0])
			if method == nil || len(registered) > 0 && !registered[string(d[2])] {
				continue
			}
			s.GRPC = string(d[1]) + "/" + string(method[1])
			if !reflects {
				s.Proto = m.protos[string(d[2])]
			}
			return
		}
	}
}
