package review

import (
	engine "lcm-tui/engine/compact"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// compactionField is one thing that can be chosen in the dialog.
type compactionField struct {
	label, value string
	about        string          // What the value means now.
	step         func(down bool) // Left and right.
	set          func(n int64)   // A number that was typed; nil where none can be.
}

// fields returns what can be chosen now, in the order of the screen.
func (c *Compaction) fields() []compactionField {
	out := []compactionField{c.budgetField(), c.tailField(), c.tailTokensField(), c.modeField()}
	if c.request.mode == engine.Until {
		return append(out, c.targetField())
	}
	out = append(out, c.forceField())
	if c.request.mode == engine.Sweep {
		out = append(out, c.hardField())
	}
	return out
}

func (c *Compaction) budgetField() compactionField {
	r := &c.request
	return compactionField{
		label: "budget", value: ui.Tokens(r.budget),
		about: "what the model's window has for the context; the host compacts above " + ui.Num(c.base.config.Threshold(r.budget)),
		step:  func(down bool) { r.budget = views.Stepped(views.TokenSteps, r.budget, down) },
		set:   func(n int64) { r.budget = max(1, n) },
	}
}

func (c *Compaction) tailField() compactionField {
	r := &c.request
	return compactionField{
		label: "fresh tail", value: plural.Count(max(0, r.tail), "message", "messages"),
		about: "the newest messages, which stay as they are",
		step:  func(down bool) { r.tail = views.Stepped(views.TailSteps, r.tail, down) },
		set:   func(n int64) { r.tail = n },
	}
}

func (c *Compaction) tailTokensField() compactionField {
	r := &c.request
	value, about := "no limit", "the fresh tail may take any number of tokens"
	if r.tailTokens != noLimit {
		value, about = ui.Tokens(r.tailTokens), "the most tokens of the fresh tail; the newest message of the user stays in it"
	}
	return compactionField{
		label: "fresh tail at most", value: value, about: about,
		step: func(down bool) {
			switch largest := views.TokenSteps[len(views.TokenSteps)-1]; {
			case r.tailTokens == noLimit && down:
				r.tailTokens = max(1_000, c.base.tokens/2)
			case r.tailTokens == noLimit:
			case !down && views.Stepped(views.TokenSteps, r.tailTokens, false) > largest:
				r.tailTokens = noLimit
			default:
				r.tailTokens = views.Stepped(views.TokenSteps, r.tailTokens, down)
			}
		},
		set: func(n int64) { r.tailTokens = n },
	}
}

// compactionModes are the modes in the order in which the keys go through them, with the
// words for each.
var compactionModes = []struct {
	mode        engine.Mode
	name, about string
}{
	{engine.Sweep, "all", "every message before the fresh tail, then summaries while they take too much"},
	{engine.Leaf, "one leaf", "the oldest messages into one leaf summary, and what is due above it"},
	{engine.Until, "until a size", "again and again until the context is small enough"},
}

func (c *Compaction) modeField() compactionField {
	r, at := &c.request, 0
	for i, m := range compactionModes {
		if m.mode == r.mode {
			at = i
		}
	}
	n := len(compactionModes)
	return compactionField{
		label: "how much", value: compactionModes[at].name, about: compactionModes[at].about,
		step: func(down bool) {
			if down {
				at += n - 2
			}
			r.mode = compactionModes[(at+1)%n].mode
		},
	}
}

func (c *Compaction) targetField() compactionField {
	r := &c.request
	return compactionField{
		label: "until", value: ui.Tokens(r.target), about: "the size of the context at which it stops; this compacts whatever the threshold says",
		step: func(down bool) { r.target = views.Stepped(views.TokenSteps, r.target, down) },
		set:  func(n int64) { r.target = max(1, n) },
	}
}

func (c *Compaction) forceField() compactionField {
	r, threshold := &c.request, ui.Num(c.base.config.Threshold(c.request.budget))
	about := "not needed: the context is above the threshold of " + threshold
	switch {
	case !c.due() && r.force:
		about = "forced: below the threshold of " + threshold + " the host would not compact yet"
	case !c.due():
		about = "nothing happens below the threshold of " + threshold
	case r.force:
		about = "has no effect: the context is above the threshold of " + threshold
	}
	return compactionField{
		label: "force", value: yesNo(r.force), about: about,
		step: func(bool) { r.force, c.forced = !r.force, true },
	}
}

func (c *Compaction) hardField() compactionField {
	r, conf := &c.request, c.base.config
	about := "summaries are condensed from " + ui.Num(int64(conf.LeafMinFanout)) + " leaves or " + ui.Num(int64(conf.CondensedMinFanout)) + " condensed ones on"
	if r.hard {
		about = "summaries are condensed from " + ui.Num(int64(conf.CondensedMinFanoutHard)) + " on, so that more become one"
	}
	return compactionField{label: "hard", value: yesNo(r.hard), about: about, step: func(bool) { r.hard = !r.hard }}
}

func yesNo(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}
