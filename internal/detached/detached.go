// Package detached starts a program that goes on when this process ends, and when its terminal closes. It must not
// wait for it, nor know what it does.
package detached

import (
	"context"
	"fmt"
	"os"
	"os/exec"
)

// Start starts a program with arguments and an environment, as NAME=value. It reads nothing and what it prints goes
// nowhere, because its terminal may be gone. An error says that it couldn't be started; how it ends is never known
// here.
func Start(program string, args, env []string) error {
	cmd := exec.CommandContext(context.Background(), program, args...)
	cmd.Env = env
	cmd.Dir = os.TempDir() // It must not keep a folder of the user in use.
	detach(cmd)
	err := cmd.Start()
	if err != nil {
		return fmt.Errorf("start %s: %w", program, err)
	}
	// It goes on by itself, and the system cleans up after it.
	return cmd.Process.Release()
}
