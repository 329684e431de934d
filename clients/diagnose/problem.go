package diagnose

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"lcm-tui/clients"
	"lcm-tui/internal/sorting"
)

// Type is a kind of problem.
type Type string

// The kinds of problems.
const (
	HookMissing   Type = "hook-missing"   // The program of the hook is not there.
	HookError     Type = "hook-error"     // The hook failed.
	HookTimeout   Type = "hook-timeout"   // The client stopped the hook.
	HookBlocked   Type = "hook-blocked"   // The hook held up what the client was doing.
	BadOutput     Type = "bad-output"     // The client could not read what the hook printed.
	DuplicateHook Type = "duplicate-hook" // The hook ran twice at one event.
	OldBinary     Type = "old-binary"     // The hook runs lcm or lossless-claude. It alone is a warning.
	MCPDied       Type = "mcp-died"       // The server ended.
	MCPError      Type = "mcp-error"      // A tool of the server failed.
	NeverFired    Type = "never-fired"    // The hooks are installed, but none ran in the session.
)

// Types lists the kinds of problems.
func Types() []Type {
	return []Type{HookMissing, HookError, HookTimeout, HookBlocked, BadOutput, DuplicateHook, OldBinary, MCPDied, MCPError, NeverFired}
}

// Problem is what went wrong in a session, as often as it did.
type Problem struct {
	Type      Type   `json:"type"`
	Event     string `json:"hook_event"` // Of the hook; the name of the tool for a tool.
	Command   string `json:"command"`
	Timestamp string `json:"timestamp"` // The last time.
	Details   string `json:"details"`
	Count     int    `json:"count"`

	entries []string // By what the client knows the entries, since a fork copies them.
}

// IsWarning reports whether the problem costs nothing yet.
func (p Problem) IsWarning() bool { return p.Type == OldBinary }

// Session is a session file that was read.
type Session struct {
	ID            string         `json:"session_id"`
	Name          string         `json:"session_name"` // As its user called it; or empty.
	Client        clients.Client `json:"client"`
	ClientVersion string         `json:"client_version"` // The last one that wrote into the file.
	Path          string         `json:"file_path"`
	Last          string         `json:"last_timestamp"`
	Problems      []Problem      `json:"errors"`

	first string // When it began.
	fired bool   // A hook of this program ran in it.
}

// Count says how often a kind of problem was found.
type Count struct {
	Type  Type `json:"type"`
	Count int  `json:"count"`
}

// Report is what was found.
type Report struct {
	Scanned      int       `json:"sessions_scanned"`
	WithErrors   int       `json:"sessions_with_errors"`
	ErrorCount   int       `json:"total_errors"`
	WarningCount int       `json:"total_warnings"`
	Sessions     []Session `json:"sessions"` // Those with a problem, the newest first.
	MostCommon   *Count    `json:"most_common"`
	Unreadable   []string  `json:"unreadable"`
}

// Has reports whether a kind of problem was found.
func (r *Report) Has(t Type) bool {
	return slices.ContainsFunc(r.Sessions, func(s Session) bool {
		return slices.ContainsFunc(s.Problems, func(p Problem) bool { return p.Type == t })
	})
}

// sum counts the problems of the sessions, of which each has some.
func (r *Report) sum() {
	counts := map[Type]int{}
	for _, s := range r.Sessions {
		hasError := false
		for _, p := range s.Problems {
			counts[p.Type] += p.Count
			if p.IsWarning() {
				r.WarningCount += p.Count
				continue
			}
			r.ErrorCount += p.Count
			hasError = true
		}
		if hasError {
			r.WithErrors++
		}
	}
	for _, t := range Types() {
		if n := counts[t]; n > 0 && (r.MostCommon == nil || n > r.MostCommon.Count) {
			r.MostCommon = &Count{t, n}
		}
	}
	sorting.Stable(r.Sessions, func(a, b *Session) int {
		return cmp.Or(strings.Compare(b.Last, a.Last), strings.Compare(a.Path, b.Path))
	})
}

// isAfter reports whether a time of a session file is after another one. One that can't be read isn't.
func isAfter(stamp string, t time.Time) bool {
	at, err := time.Parse(time.RFC3339, stamp)
	return err == nil && at.After(t)
}
