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
func (a *App) jobLine(r *job) string {
	elapsed := a.jobs.now().Sub(r.started)
	text := Line(r.slot.name) + "…"
	if r.total > 0 {
		text += fmt.Sprintf(" %s/%s", Num(int64(r.done)), Num(int64(r.total)))
	} else if r.done > 0 {
		text += " " + Num(int64(r.done))
	}
	if r.note != "" {
		text += " · " + LineN(r.note, a.width)
	}
	right := a.styles.Muted.Render(seconds(elapsed)) + a.hint("esc", "cancel") + " "
	if r.stopping {
		right = a.styles.Warn.Render("cancelling…") + " "
	}
	turn := spinnerFrames[int(elapsed/spinnerInterval)%len(spinnerFrames)]
	return justify(" "+a.styles.Accent.Render(turn)+" "+text, right, a.width, a.width/3)
}

// seconds returns a running time without digits that flicker.
func seconds(d time.Duration) string { return d.Truncate(time.Second).String() }
