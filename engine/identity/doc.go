// Package identity computes the hash by which a host recognizes a message: of its role and its
// canonical content. A user's message may begin with a block of a channel, whose members change
// with each delivery; the canonical content leaves those out.
//
// It must not read or write anything: it takes texts.
package identity
