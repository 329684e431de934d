package views

import "lcm-tui/ui"

// The marks of the screens, for their help: each as it is drawn, and what it means.

func (e *Env) depthSigns() []ui.Sign {
	s := e.Styles
	return []ui.Sign{
		{Mark: s.Depth(0).Render("d0"), Meaning: "a leaf: a summary of messages"},
		{Mark: s.Depth(1).Render("d1"), Meaning: "a condensed summary, made of leaves; d2 of d1, and so on"},
	}
}

// Legend implements ui.Legender.
func (c *Conversations) Legend() []ui.Sign {
	s := c.env.Styles
	return append([]ui.Sign{
		{Mark: s.Good.Render("●"), Meaning: "active"},
		{Mark: s.Muted.Render("▪"), Meaning: "archived"},
		{Mark: s.Bad.Render("!"), Meaning: "errors: something is damaged"},
		{Mark: s.Warn.Render("~"), Meaning: "warnings"},
		{Mark: s.Faint.Render("·"), Meaning: "not known yet"},
	}, c.env.depthSigns()...)
}

// Legend implements ui.Legender.
func (v *Messages) Legend() []ui.Sign {
	s := v.env().Styles
	return []ui.Sign{
		{Mark: s.Good.Render("●"), Meaning: "in the context: the model sees the message itself"},
		{Mark: s.D0.Render("d0"), Meaning: "the model sees a summary that covers it"},
		{Mark: s.Warn.Render("!"), Meaning: "uncovered: neither in the context nor under a summary"},
		{Mark: s.Tool.Render("[exec]"), Meaning: "a call of this tool"},
		{Mark: s.Tool.Render("↳"), Meaning: "what a tool answered"},
		{Mark: s.Muted.Render("⋯"), Meaning: "reasoning"},
		{Mark: s.Warn.Render("forgotten"), Meaning: "its text was removed to save space; a stub stands in its place"},
		{Mark: s.Warn.Render("~"), Meaning: "a time that can't be read"},
	}
}

// Legend implements ui.Legender.
func (v *Reading) Legend() []ui.Sign {
	s := v.env.Styles
	return []ui.Sign{
		{Mark: s.Accent.Render("▌"), Meaning: "the message under the cursor"},
		{Mark: s.Tool.Render("[exec]"), Meaning: "a call of this tool"},
		{Mark: s.Tool.Render("↳"), Meaning: "what a tool answered"},
		{Mark: s.Muted.Render("⋯"), Meaning: "reasoning"},
	}
}

// Legend implements ui.Legender.
func (v *Summaries) Legend() []ui.Sign {
	s := v.env().Styles
	return append([]ui.Sign{
		{Mark: "▸ ▾", Meaning: "folded, unfolded: what a summary was made of stands below it"},
		{Mark: s.Good.Render("●"), Meaning: "in the context"},
		{Mark: s.Faint.Render("○"), Meaning: "not in the context"},
		{Mark: "↓", Meaning: "how many summaries it was made of"},
		{Mark: s.Bad.Render("!"), Meaning: "damaged, or sources are missing"},
		{Mark: "█ ▒", Meaning: "in the picture: in the context, folded into the summary above"},
		{Mark: s.Bad.Render("!"), Meaning: "in the picture: messages that nothing covers"},
	}, v.env().depthSigns()...)
}

// Legend implements ui.Legender.
func (v *Pending) Legend() []ui.Sign {
	s := v.env().Styles
	return []ui.Sign{
		{Mark: "▸ ▾", Meaning: "folded, unfolded: the nodes of a batch, or what a node is made of, stand below it"},
		{Mark: s.Good.Render("●"), Meaning: "ready: a text is there; of a batch, every node is ready"},
		{Mark: s.Accent.Render("◐"), Meaning: "running: a model is asked for the text; of a batch, texts are being prepared"},
		{Mark: s.Accent.Render("→"), Meaning: "next: the host asks a model for it at its next pass"},
		{Mark: s.Muted.Render("○"), Meaning: "planned: there is no text yet"},
		{Mark: s.Warn.Render("~"), Meaning: "failed or waiting until it is tried again; of a batch, what it was planned from changed"},
		{Mark: s.Bad.Render("!"), Meaning: "stuck: the host never publishes it by itself"},
		{Mark: s.Good.Render("✓"), Meaning: "promoted or published: it is a summary of the context"},
		{Mark: s.Faint.Render("·"), Meaning: "stale: it was given up; ignored: the host doesn't look at it"},
		{Mark: "█ ▓ ░", Meaning: "in the picture: published, prepared, planned; below the tabs stands how much of each"},
		{Mark: "· ─", Meaning: "in the picture: raw messages of which no summary is planned, and the fresh tail"},
	}
}

// Legend implements ui.Legender.
func (v *Context) Legend() []ui.Sign {
	s := v.env().Styles
	return append([]ui.Sign{
		{Mark: s.Bad.Render("×"), Meaning: "evicted: it doesn't fit the budget"},
		{Mark: s.Bad.Render("!"), Meaning: "missing, or a summary that no model made"},
		{Mark: "#12", Meaning: "a message, by its number in the conversation"},
		{Mark: s.Good.Render("▓") + " " + s.Accent.Render("░"), Meaning: "the host has prepared a summary of it, or plans one: p shows them"},
		{Mark: s.Accent.Render("──"), Meaning: "where the fresh tail begins, which is never evicted"},
	}, v.env().depthSigns()...)
}
