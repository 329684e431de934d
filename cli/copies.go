package cli

import (
	"time"

	"lcm-tui/fleet"
	"lcm-tui/internal/hint"
)

// Copy is a copy of another machine's database, for which a command answers, and how that went.
type Copy struct {
	Source   string   `json:"source"`
	Place    string   `json:"place"`
	Database string   `json:"database,omitempty"`    // Empty where there is no copy yet.
	Age      *float64 `json:"age_seconds,omitempty"` // Since the machine was asked last with success; below 0 where a clock was set back.
	Exit     int      `json:"exit"`
	Error    string   `json:"error,omitempty"`

	AskedAt   time.Time `json:"-"` // When the machine was asked last with success.
	IsReplica bool      `json:"-"` // It is a source of a replica, and no file.
}

// CopiesOf returns the newest copies of machines. One of which there is none has the reason as its error.
func (a *App) CopiesOf(machines []fleet.State) []Copy {
	out, now, store := make([]Copy, len(machines)), a.Now(), a.Fleet()
	for i, t := range machines {
		c := Copy{Source: t.Name, Place: t.Place(), AskedAt: t.CheckedAt}
		path, err := store.Path(t)
		if err != nil {
			c.Error, c.Exit = err.Error(), ExitFailed
			if next := hint.Of(err); next != "" {
				c.Error += "\nhint: " + next
			}
		} else {
			age := now.Sub(t.CheckedAt).Seconds()
			c.Database, c.Age = path, &age
		}
		out[i] = c
	}
	return out
}

// Now returns the present.
func (a *App) Now() time.Time {
	if a.Sys.Now != nil {
		return a.Sys.Now()
	}
	return time.Now()
}

// ExitOf returns the exit code for all copies: that of findings before that of failures, else the least.
func ExitOf(copies []Copy) int {
	worst := map[int]bool{}
	least := ExitFailed
	for i, c := range copies {
		worst[c.Exit] = true
		if i == 0 || c.Exit < least {
			least = c.Exit
		}
	}
	for _, code := range []int{ExitFindings, ExitFailed} {
		if worst[code] {
			return code
		}
	}
	return least
}
