// Package service does the work on a database for as long as its process runs: a pass now and then, within hours of the
// day if wanted, with nothing open in between. It says how it is, to systemd and over HTTP on this machine. Nothing
// needs it: a pass that a hook or a timer starts does the same work.
//
// It knows no models, settings or flags, and does no job itself.
package service
