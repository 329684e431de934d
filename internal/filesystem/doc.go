// Package filesystem asks the system about files: which other processes have one open, whether this user
// may write it, how much room its disk has, whether it lies on a network, and which there are in a folder. It opens
// none of them.
package filesystem
