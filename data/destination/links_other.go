//go:build !unix

package destination

import "io/fs"

// links returns how many names a file has; here only that of the path is known.
func links(fs.FileInfo) uint64 { return 1 }
