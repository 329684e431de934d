// Package fleet keeps copies of the databases of other machines on this one, for reading: where each comes from, when
// it was fetched, and how large it is. The system's ssh connects; no password is asked for or kept. It must not
// write to any database.
package fleet
