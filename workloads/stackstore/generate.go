package main

import (
	"fmt"
	"math/rand/v2"

	"google.golang.org/protobuf/encoding/protowire"
)

// The shape of the generated profiles: a service of moderate size, profiled
// periodically. With 16 services the trees that are kept take about 20 MiB.
const (
	functions    = 1500 // functions of a service
	rounds       = 2    // different profiles of a service
	stacksOf     = 2500 // samples of a profile
	deepest      = 32
	shallowest   = 8
	mostCallees  = 5
	samplePeriod = 10_000_000 // nanoseconds: 100 Hz, as runtime/pprof has it
	sampleBytes  = 60         // about, encoded
)

// sent is a profile as a service sends it.
type sent struct {
	service string
	data    []byte
}

// generate makes profiles of n services, always the same ones. Each round has
// one of every service.
func generate(n int) []sent {
	services := make([]*service, n)
	for i := range services {
		services[i] = newService(i)
	}
	var all []sent
	for range rounds {
		for _, s := range services {
			all = append(all, sent{s.name, s.profile()})
		}
	}
	return all
}

// service is a program that is profiled: who may call whom in it.
type service struct {
	name    string
	random  *rand.Rand
	callees [][]int
	tables  []byte // the end of its profiles: locations, functions, names
}

func newService(i int) *service {
	s := &service{
		name:    fmt.Sprintf("service-%d", i),
		random:  rand.New(rand.NewPCG(uint64(i), 0)),
		callees: make([][]int, functions),
	}
	for f := range s.callees {
		s.callees[f] = make([]int, 1+s.random.IntN(mostCallees))
		for i := range s.callees[f] {
			s.callees[f][i] = s.random.IntN(functions)
		}
	}
	s.tables = s.appendTables(nil)
	return s
}

// appendTables appends the tables that all profiles of s share. Location i
// refers to function i.
func (s *service) appendTables(p []byte) []byte {
	for id := uint64(1); id <= functions; id++ {
		l := appendNumber(nil, locationID, id)
		l = appendBytes(l, locationLine, appendNumber(nil, lineFunction, id))
		p = appendBytes(p, profileLocation, l)
	}
	for id := uint64(1); id <= functions; id++ {
		f := appendNumber(nil, functionID, id)
		p = appendBytes(p, profileFunction, appendNumber(f, functionName, id))
	}
	p = appendBytes(p, profileString, nil) // the first is empty, always
	p = appendBytes(p, profileString, []byte("main.main"))
	for f := 1; f < functions; f++ {
		name := fmt.Sprintf("example.com/%s/part%d.(*Worker).step%d", s.name, f%40, f)
		p = appendBytes(p, profileString, []byte(name))
	}
	return p
}

// profile returns an uncompressed profile, its fields in the order in which
// runtime/pprof writes them.
func (s *service) profile() []byte {
	values := protowire.AppendVarint([]byte{1}, samplePeriod)
	stack, ids, sample := make([]uint64, 0, deepest), []byte(nil), []byte(nil)
	p := make([]byte, 0, stacksOf*sampleBytes+len(s.tables))
	for range stacksOf {
		stack, ids = s.stack(stack), ids[:0]
		for _, id := range stack {
			ids = protowire.AppendVarint(ids, id)
		}
		sample = appendBytes(sample[:0], sampleLocation, ids)
		sample = appendBytes(sample, sampleValue, values)
		p = appendBytes(p, profileSample, sample)
	}
	return append(p, s.tables...)
}

// stack returns the locations of a random stack, from the leaf up, in the memory
// of a former one.
func (s *service) stack(former []uint64) []uint64 {
	depth := shallowest + s.random.IntN(deepest-shallowest+1)
	stack := former[:depth]
	f := 0 // main
	for i := depth - 1; i >= 0; i-- {
		stack[i] = uint64(f + 1)
		// The lowest of three draws: some paths are much hotter than others.
		n := len(s.callees[f])
		f = s.callees[f][min(s.random.IntN(n), s.random.IntN(n), s.random.IntN(n))]
	}
	return stack
}

func appendNumber(b []byte, field protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), v)
}

func appendBytes(b []byte, field protowire.Number, v []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, field, protowire.BytesType), v)
}
