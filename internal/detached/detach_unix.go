//go:build unix

package detached

import (
	"os/exec"
	"syscall"
)

// detach gives the program a session of its own: signals of the terminal and of the group of its parent don't reach
// it.
func detach(cmd *exec.Cmd) {
	attributes := &syscall.SysProcAttr{}
	attributes.Setsid = true
	cmd.SysProcAttr = attributes
}
