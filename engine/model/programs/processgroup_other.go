//go:build !unix

package programs

import "os/exec"

// startProcessGroup does nothing here: the program itself is killed.
func startProcessGroup(*exec.Cmd) {}
