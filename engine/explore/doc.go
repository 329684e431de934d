// Package explore describes a large payload in a few lines, which a model sees in its place. It
// asks no model: the same payload gives the same lines.
//
// It must not read or write files: it takes the payload.
package explore
