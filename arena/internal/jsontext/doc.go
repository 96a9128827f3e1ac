// Package jsontext reads the tokens of JSON from memory that ends with a zero byte and
// [Slack] more, so that no load needs a bounds check. The modules nested in arena share
// it. It is not for users, because it trusts its pointers.
package jsontext
