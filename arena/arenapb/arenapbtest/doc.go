// Package arenapbtest holds the tests of arenapb that need generated types of
// other modules. It is a module of its own, so that users of arenapb need none
// of these.
package arenapbtest
