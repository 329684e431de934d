package shell

import (
	"fmt"
	"time"

	"charm.land/bubbles/v2/spinner"

	"lcm-tui/ui"
)

// spinnerFrames turn with the time that the job takes, so that no message of their own is
// needed, as the spinner of bubbles would send.
var spinnerFrames = spinner.MiniDot.Frames

// jobLine returns a job as it runs: spinner, name, how far, note, time, esc.
func jobLine(s *ui.Styles, r *ui.Job, elapsed time.Duration, cancel string, width int) string {
	text := ui.Line(r.Name) + "…"
	if r.Total > 0 {
		text += fmt.Sprintf(" %s/%s", ui.Num(int64(r.Done)), ui.Num(int64(r.Total)))
	} else if r.Done > 0 {
		text += " " + ui.Num(int64(r.Done))
	}
	if r.Note != "" {
		text += " · " + ui.LineN(r.Note, width)
	}
	right := s.Muted.Render(seconds(elapsed)) + keyHint(s, cancel, "cancel") + " "
	if r.Stopping {
		right = s.Warn.Render("cancelling…") + " "
	}
	turn := spinnerFrames[int(elapsed/ui.SpinnerInterval)%len(spinnerFrames)]
	return ui.Justify(" "+s.Accent.Render(turn)+" "+text, right, width, width/3)
}

// seconds returns a running time without digits that flicker.
func seconds(d time.Duration) string { return d.Truncate(time.Second).String() }
