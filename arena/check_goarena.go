//go:build arenadebug && goarena && goexperiment.arenas && !heaparena

package arena

// The quarantine reads memory of freed arenas. Go unmaps that memory with the arena,
// so a read would crash the program.
var _ = the_tags_goarena_and_arenadebug_exclude_each_other_drop_one
