package ui

import (
	"fmt"
	"time"

	"charm.land/bubbles/v2/spinner"
)

// spinnerFrames turn with the time that the job takes, so that no message of their own is
// needed, as the spinner of bubbles would send.
var spinnerFrames = spinner.MiniDot.Frames

// jobLine returns a job as it runs: spinner, name, how far, note, time, esc.
func jobLine(s *Styles, r *Job, elapsed time.Duration, width int) string {
	text := Line(r.Name) + "…"
	if r.Total > 0 {
		text += fmt.Sprintf(" %s/%s", Num(int64(r.Done)), Num(int64(r.Total)))
	} else if r.Done > 0 {
		text += " " + Num(int64(r.Done))
	}
	if r.Note != "" {
		text += " · " + LineN(r.Note, width)
	}
	right := s.Muted.Render(seconds(elapsed)) + hint(s, "esc", "cancel") + " "
	if r.Stopping {
		right = s.Warn.Render("cancelling…") + " "
	}
	turn := spinnerFrames[int(elapsed/spinnerInterval)%len(spinnerFrames)]
	return justify(" "+s.Accent.Render(turn)+" "+text, right, width, width/3)
}

// seconds returns a running time without digits that flicker.
func seconds(d time.Duration) string { return d.Truncate(time.Second).String() }
