// Package unit writes what systemd and launchd need to run the work of this program, or the sending to a replica, for one user: units and agents as
// texts, with the paths of the program and of the database quoted as each of them reads them. It installs nothing and
// starts nothing.
package unit
