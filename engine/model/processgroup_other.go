//go:build !unix

package model

import "os/exec"

// startProcessGroup does nothing here: the program itself is killed.
func startProcessGroup(*exec.Cmd) {}
