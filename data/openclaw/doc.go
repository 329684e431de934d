// Package openclaw knows the host program OpenClaw from outside: its configuration
// openclaw.json, the variables of its .env, its state folder, and where by these its database
// and its large files lie. It is the only parser of that configuration and the only one
// that replaces variables and ~ in it. It also finds the databases that other programs of the
// kind keep on this machine, by their names and places.
//
// It only reads. It must not open a database, nor decide which settings are in force
// (engine/settings does).
package openclaw
