package detached

import (
	"os/exec"
	"syscall"
)

// Flags of CreateProcess, from its documentation: without a console, and out of reach of ctrl+c.
const (
	detachedProcess       = 0x00000008
	createNewProcessGroup = 0x00000200
)

// detach takes the program out of the console and the group of its parent.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: detachedProcess | createNewProcessGroup}
}
