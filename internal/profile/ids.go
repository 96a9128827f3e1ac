package profile

// ids finds an entry of a file's table by the id that the file gave it. Writers
// number densely from 1, which a slice serves; any other numbering is legal.
type ids struct {
	dense  []uint32 // id → entry, at least for ids up to the number of entries; 0 is none
	sparse map[uint64]uint32
}

// shortTable has the entries whose ids are numbers of one or two bytes. A table
// of fixed size needs no bounds checks.
type shortTable [1 << 14]uint32

func (t *ids) short() *shortTable { return (*shortTable)(t.dense) }

func (t *ids) reset(n int) {
	t.dense = resize(t.dense, max(n+1, len(shortTable{})))
	clear(t.dense)
	t.sparse = nil
}

func (t *ids) get(id uint64) uint32 {
	if id < uint64(len(t.dense)) {
		return t.dense[id]
	}
	return t.sparse[id]
}

// set reports false where the id is 0, which is reserved, or taken.
func (t *ids) set(id uint64, to uint32) bool {
	if id == 0 || t.get(id) != 0 {
		return false
	}
	if id < uint64(len(t.dense)) {
		t.dense[id] = to
		return true
	}
	if t.sparse == nil {
		t.sparse = make(map[uint64]uint32)
	}
	t.sparse[id] = to
	return true
}
