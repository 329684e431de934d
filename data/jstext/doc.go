// Package jstext is JSON as JavaScript writes it: hosts store what JSON.stringify
// gave them, and what is compared, counted or hashed with theirs has to come out
// byte for byte. It knows nothing of what the values mean, and must not decode
// them into Go's types, which lose the order of members and half surrogates.
package jstext
