//go:build unix

package regularfile

import "syscall"

// nonBlocking has an open return at once also where it would have to wait.
const nonBlocking = syscall.O_NONBLOCK
