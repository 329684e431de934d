// Package work keeps what this program notes beside a database, in the sidecar work.db: how far transcripts were
// imported, what was put into the context of an agent, and when hooks ran. Nothing of it is needed to read or to
// repair the database: a lost sidecar costs time and reports, never a message. It never writes to the database
// itself.
package work
