// Package trash keeps what pruning removes: one small database for each prune, in a folder beside
// the database, from which everything can be restored. It must not remove anything from the
// database itself.
package trash
