// Package change is the writer: it makes a batch of row images, or a set that is too large for images, in
// short transactions, records them in the same file, and undoes and redoes the records. It numbers
// contexts inside of the transaction, keeps the batches that a host prepares true, and fails where the
// result would be broken.
//
// The package must not decide what should change: operations do.
package change
