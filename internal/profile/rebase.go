package profile

// mappingShift is the entry of a file's mapping in the dictionary.
type mappingShift struct {
	id    MappingID
	shift uint64 // the addend of addresses, modulo 2^64
}

// mappingKey distinguishes binaries wherever the system loaded them: by build id or
// file, place in the file and size. The size is rounded up to pages, because
// kernels differ about the last one. It is the key by which
// google/pprof merges mappings (profile/merge.go), so that results are equal.
type mappingKey struct {
	size, offset uint64
	binary       string
}

// rebase returns the mapping under which the same binary was first seen, and how
// far away it lies.
func (s *parser) rebase(id MappingID) mappingShift {
	m := s.dict.Mapping(id)
	const page = 4096
	size := m.Limit - m.Start + page - 1
	key := mappingKey{size - size%page, m.Offset, m.BuildID}
	if key.binary == "" {
		key.binary = m.File
	}
	first, ok := s.known[key]
	if !ok {
		s.known[key] = id
		return mappingShift{id: id}
	}
	return mappingShift{first, s.dict.Mapping(first).Start - m.Start}
}
