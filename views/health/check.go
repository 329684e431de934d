package health

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/views"
)

// healthCheck is a check while it runs. The job adds to it, and the screen draws what was
// found so far.
type healthCheck struct {
	found  integrity.Collector
	places *views.FindingPlaces
}

// healthMsg is the result of a whole check.
type healthMsg struct {
	found   integrity.Diagnosis
	when    time.Time
	version int64 // Of the file before the check.
}

// healthVersionMsg is the version of the file after a change was noticed.
type healthVersionMsg struct{ version int64 }

// compareVersion finds out whether the file has changed since the check began. A change that is
// noticed later may be one of this program, which the check has seen already.
func (v *Health) compareVersion() tea.Cmd {
	if v.when.IsZero() {
		return nil
	}
	db := v.env.DB
	return v.env.Jobs.Quiet(v, "version", views.Read(func(ctx context.Context) (healthVersionMsg, error) {
		version, err := db.Version(ctx)
		return healthVersionMsg{version}, err
	}))
}

// check looks for damage. What other checks found out about conversations that haven't
// changed since is taken from them.
func (v *Health) check() tea.Cmd {
	env, db, now, conv := v.env, v.env.DB, v.env.Now(), v.conv()
	known := map[int64]views.Soundness{}
	for id, s := range env.Sound {
		if conv == 0 && s.Found != nil {
			known[id] = s
		}
	}
	running := &healthCheck{places: v.places}
	v.running, v.partial = running, false
	return env.Jobs.Start(v, "check", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		version, err := db.Version(ctx)
		if err != nil {
			return nil, err
		}
		r := integrity.Request{Conversation: conv, FilesDir: env.Files, Limits: env.Limits()}
		r.KnownFindings = unchangedFindings(ctx, db, known, r.Limits)
		r.OnPart = func(p integrity.Part) {
			running.places.Read(ctx, db, p.Findings)
			running.found.Add(p)
		}
		d, err := integrity.Check(ctx, db, r, data.Report(report))
		if err == nil {
			running.places.Read(ctx, db, d.Findings)
		}
		return healthMsg{d, now, version}, err
	})
}

// unchangedFindings returns the findings of conversations that are as they were when they were
// checked, by the same limits.
func unchangedFindings(ctx context.Context, db *data.DB, known map[int64]views.Soundness, limits integrity.Limits) map[int64][]integrity.Finding {
	out := map[int64][]integrity.Finding{}
	for id, s := range known {
		if s.Limits != limits {
			continue
		}
		if n, err := views.CountOne(ctx, db, id); err == nil && views.StateOf(n) == s.Of {
			out[id] = s.Found.Findings
		}
	}
	return out
}

// showRunning shows what a running check found since the last frame.
func (v *Health) showRunning() {
	if v.running == nil {
		return
	}
	d, checked := v.running.found.Diagnosis()
	v.checked = checked
	if len(d.Findings) != len(v.found.Findings) || v.when.IsZero() && len(v.List.Items()) == 0 && len(d.Findings) > 0 {
		v.found = d
		v.set()
	}
}

// endEarly keeps what a check found that was cancelled or failed.
func (v *Health) endEarly(err error) {
	v.showRunning()
	v.running, v.partial, v.when = nil, true, v.env.Now()
	v.endedBy = "the check failed"
	if errors.Is(err, context.Canceled) {
		v.endedBy = "the check was cancelled"
	}
	v.List.Empty = v.endedBy + " before anything was found: ctrl+r begins it again"
}

// progress returns how far a running check is, and what it found so far.
func (v *Health) progress() string {
	s := v.env.Styles
	line := s.Muted.Render("looking for damage")
	if v.conv() == 0 && v.checked > 0 {
		line += s.Muted.Render(" · " + plural.Count(v.checked, "conversation", "conversations") + " checked")
	}
	if n := countsLine(s, v.found.Counts); n != "" {
		line += s.Muted.Render(" · so far ") + n
	}
	return line
}

// partialLine says how much of the check is missing.
func (v *Health) partialLine() string {
	s := v.env.Styles
	after := ""
	if v.conv() == 0 {
		after = fmt.Sprintf(" after %s", plural.Count(v.checked, "conversation", "conversations"))
	}
	line := s.Warn.Render("~ "+v.endedBy+after) + s.Muted.Render(": there may be more · ctrl+r checks all")
	if n := countsLine(s, v.found.Counts); n != "" {
		line = n + "  " + line
	}
	return line
}
