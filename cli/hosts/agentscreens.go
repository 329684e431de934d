package hosts

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"

	"lcm-tui/clients"
	"lcm-tui/data/openclaw"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/work"
)

// refreshAgents is how often the screens read again what coding agents do.
const refreshAgents = 10 * time.Second

// agents returns what the screens know of coding agents.
func (s *screenRun) agents(l openclaw.Locations) views.Agents {
	set := s.user.Work
	a := views.Agents{Model: strings.TrimSpace(set.Provider + " " + set.Model), Calls: set.Calls, Dollars: set.Dollars, Refresh: refreshAgents, Own: l.Database != "" && l.Database == openclaw.OwnDatabase(s.Sys.Env)}
	if state := openclaw.OwnState(s.Sys.Env); state != "" && l.Database != "" {
		a.Notes = work.Folder(state, l.Database)
	}
	a.Ignores = func(string) bool { return true } // What the user wants left out isn't known.
	if ignored, err := clients.ParseIgnored(s.user.IgnoredFolders); err == nil {
		a.Ignores = ignored.Has
	}
	for _, c := range clients.All() {
		if folder := c.Sessions(s.Sys.Env); folder != "" {
			a.Clients = append(a.Clients, views.AgentClient{Name: string(c), Sessions: folder, KeptDays: func() int { return s.Clients().RetentionOf(string(c)).Days }})
		}
	}
	if program, err := s.Sys.ProgramPath(); err == nil && s.Sys.OwnProcess {
		a.Run = func(ctx context.Context, args ...string) (string, error) {
			return runSelf(ctx, program, append(args, "--db", l.Database))
		}
	}
	return a
}

// runSelf runs this program as a process of its own, which ends in order when it is cancelled. Its last message is the
// error.
func runSelf(ctx context.Context, program string, args []string) (out string, err error) {
	var printed, notes bytes.Buffer
	c := exec.CommandContext(ctx, program, args...)
	c.Stdout, c.Stderr = &printed, &notes
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 5 * time.Second
	err = c.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ctx.Err() == nil {
		err = errors.New(strings.TrimPrefix(ui.LastLine(notes.String()), "lcm-tui: "))
	}
	return printed.String(), err
}
