// Package views is the screens. Each is one file with its keys and its jobs. No
// screen reads the database in Update: work runs in jobs, and its result comes
// back as a message.
package views
