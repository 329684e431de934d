package data_test

import (
	"os/exec"
	"syscall"
)

// asAnotherUser has a command run as a user to whom processes of root don't show their files.
func asAnotherUser(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
}
