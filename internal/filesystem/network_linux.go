package filesystem

import "syscall"

// networkTypes are the file systems that lie on other machines, by the number that Linux gives.
var networkTypes = map[uint32]bool{
	0x6969: true,                                     // NFS
	0x517B: true, 0xFF534D42: true, 0xFE534D42: true, // SMB
	0x5346414F: true, // AFS
	0x00C36400: true, // Ceph
}

// OnNetwork reports whether a folder is known to be on another machine, where locks may not be seen
// by all.
func OnNetwork(folder string) bool {
	var s syscall.Statfs_t
	return syscall.Statfs(folder, &s) == nil && networkTypes[uint32(s.Type)] //nolint:gosec // The upper half is empty.
}
