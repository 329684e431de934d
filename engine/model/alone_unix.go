//go:build unix

package model

import (
	"os/exec"
	"syscall"
)

// alone gives a program a group of its own, so that what it starts is killed with
// it.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
