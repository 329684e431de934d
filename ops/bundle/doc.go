// Package bundle makes the files of a bug report: versions, sizes, the schema, and the shape of
// conversations and contexts, without what anyone said.
//
// No text of a message, a summary, a file or a tool goes into it, and no path of a home folder.
// Names are replaced by pseudonyms that nobody can guess back. It must not write to the database,
// send anything, or print.
package bundle
