// Package filesystem asks the system about files: which other processes have one open, whether this user
// may write it, how much room its disk has, and whether it lies on a network. It opens none of them.
package filesystem
