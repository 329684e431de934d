//go:build !unix

package regularfile

// nonBlocking has an open return at once also where it would have to wait.
const nonBlocking = 0
