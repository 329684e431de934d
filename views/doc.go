// Package views has the screens of LCM. The files of one screen share a prefix, and have
// its keys and its jobs. No screen reads the database in Update: work runs in jobs, and
// its result comes back as a message.
package views
