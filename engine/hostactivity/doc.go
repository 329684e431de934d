// Package hostactivity says whether a conversation may go on in a host, and why. A host compares the
// rows of such a conversation with what it is given again and with its transcript, and stores all of
// that again where rows are missing: so what deletes rows asks here first. What replaces texts asks
// whether every message that a host is given again has a row with its hash.
//
// What isn't known counts as live. The package reads the database, looks for transcripts and reads
// the host's indexes of sessions; it writes nothing and decides nothing.
package hostactivity
