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
