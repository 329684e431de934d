//go:build !linux && !darwin && !freebsd

package eventlog

import "os"

// renamesOpen says that a file that is open can be renamed.
const renamesOpen = false

// claim does nothing: here such locks are not known.
func claim(*os.File) {}
