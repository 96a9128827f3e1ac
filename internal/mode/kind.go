package mode

import "context"

// Kind is one way in which modes can differ. A Kind in kinds is part of the
// syntax, the proofs and the list of "heapwright modes".
type Kind struct {
	Name   string   // "Go version"
	Keys   []string // the beginnings of its settings, for hints on mistyped ones: "GOGC=", "pgo"
	Syntax string   // an example: "GOGC=400"
	Doc    string   // one line on its effect

	// Variables are those that settings of this kind decide, and that the user's
	// environment therefore must not, as patterns of path.Match.
	Variables []string

	// Parse returns the setting that the token stands for, nil if it is of
	// another kind, an error if it is of this kind but wrong.
	Parse func(token) (Setting, error)

	// ProveBuild and ProveRun hold the reports of a cell's binary and of a run of
	// it against its configuration, also for modes without a setting of this kind:
	// those must not show one. The doubt names a setting that could not be proven,
	// and why. ProveRun is called with reports of a run only.
	ProveBuild, ProveRun func(Config, Identity) (doubt string, err error)

	// List returns the settings of the kind that this machine has with the
	// toolchain. A nil List stands for one line made of Syntax and Doc, which is
	// available unless Lacks names something that it needs.
	List  func(context.Context, *Machine, *Toolchain) []Available
	Lacks func(context.Context, *Machine, *Toolchain) string
}

// kinds are listed in the order in which "heapwright modes" shows them. They are
// asked in the same order for the meaning of a text, so variableKind, which takes
// every NAME=value, stands behind the kinds that know a name.
var kinds = []Kind{
	gogcKind,
	memoryLimitKind,
	floorKind,
	tunerKind,
	ballastKind,
	protobufKind,
	pgoKind,
	godebugKind,
	variableKind,
	buildTagsKind,
	revisionKind,
	patchKind,
	dependencyKind,
	randomLayoutKind,
	buildFlagsKind,
	goVersionKind,
	experimentKind,
}
