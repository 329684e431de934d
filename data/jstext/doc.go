// Package jstext reads and writes JSON as JavaScript does. Hosts store the result of
// JSON.stringify, so that values which are compared, counted or hashed with theirs must be
// equal byte for byte.
//
// It knows nothing of the meaning of values, and must not decode them into Go's types, which
// lose the order of members and half surrogates.
package jstext
