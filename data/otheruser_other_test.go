//go:build !linux

package data_test

import "os/exec"

// asAnotherUser isn't used here.
func asAnotherUser(*exec.Cmd) {}
