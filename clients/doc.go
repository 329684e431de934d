// Package clients knows the coding agents on this machine that keep no memory of their own: how they are called and
// where their transcripts lie. It reads none of them.
package clients
