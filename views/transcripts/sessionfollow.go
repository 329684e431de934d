package transcripts

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
	"lcm-tui/views"
)

var (
	keyFollow   = ui.Act("f", "f", "follow: import what agents write, while this screen is open")
	keyUnfollow = ui.Act("f", "f", "follow no longer").Named(keyFollow.ID())
)

// followEndedMsg says that sessions are followed no longer, and what was printed.
type followEndedMsg struct{ out string }

// followAction starts to follow the sessions of coding agents, or ends it. A process of its own imports them: it goes
// by the user's configuration, and takes its time where a disk is slow.
func (v *SessionFiles) followAction() views.Action {
	if v.following {
		return views.Action{Action: keyUnfollow.In("Change").InFooter(), Run: func() tea.Cmd {
			v.following = false
			v.env.Jobs.Cancel(v, "follow")
			return ui.Say(ui.StatusMsg{Text: "sessions are followed no longer"})
		}}
	}
	run := v.env.Agents.Run
	why := views.FirstNonEmpty(v.env.ReadOnly(), views.TextWhen(run == nil, "this program can't start itself"), views.TextWhen(len(v.env.Agents.Clients) == 0, "there are no coding agents here"))
	return views.Action{Action: keyFollow.In("Change").Off(why == "", why), Run: func() tea.Cmd {
		if question := v.env.Agents.AskBeforeImport("f"); question != "" && !v.asked {
			v.asked = true
			return ui.Say(ui.StatusMsg{Text: question, Kind: ui.Warn})
		}
		v.following = true
		return v.env.Jobs.Quiet(v, "follow", views.Read(func(ctx context.Context) (followEndedMsg, error) {
			out, err := run(ctx, "follow", "--apply")
			return followEndedMsg{out}, err
		}))
	}}
}

// endFollowing notes that sessions are followed no longer, though nobody ended that.
func (v *SessionFiles) endFollowing(out string) tea.Cmd {
	v.following = false
	return ui.Say(ui.StatusMsg{Text: "sessions are followed no longer: " + views.FirstNonEmpty(ui.LastLine(out), "it ended by itself"), Kind: ui.Warn})
}

// header says that sessions are followed.
func (v *SessionFiles) header(width, _ int) []string {
	if !v.following {
		return nil
	}
	s := v.env.Styles
	return []string{ui.Cut(s.Good.Render(" ● live")+s.Muted.Render(" what Claude Code, Codex and Gemini CLI write is imported while this screen is open; f ends it"), width), ""}
}
