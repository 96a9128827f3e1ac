// Package guard decides whether a diff that somebody else proposes may be built, run and
// measured at all. [Rules] lists the reasons to refuse one.
//
// The stance: a proposal is untrusted, and the program that made it may want to win by
// other means than a better program. The guard judges the source that results from the
// diff, parsed and type-checked beside the original, so that no spelling of a name and no
// formatting of the diff gets past it. Code that was there already is nobody's proposal:
// a use counts only if the package has more of its kind than before. Where a cache of results
// looks like harmless state, the guard refuses it; the user can allow each rule by name.
//
// The guard does not replace a sandbox. A proposal may call any function of the module
// and of its dependencies, and these may do everything.
package guard
