//go:build unix

package programs

import (
	"os/exec"
	"syscall"
)

// startProcessGroup gives a program a group of its own, so that what it starts is killed with
// it.
func startProcessGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
