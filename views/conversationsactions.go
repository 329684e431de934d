package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// The keys of the screen.
var (
	keyOpen      = ui.Act("enter", "⏎", "open")
	keySummaries = ui.Act("s l", "s", "summaries")
	keyContext   = ui.Act("c", "c", "context")
	keyFiles     = ui.Act("f", "f", "files")

	keyDamaged = ui.Act("!", "!", "next damaged")

	keyAgent  = ui.Act("a", "a", "agent")
	keyShow   = ui.Act("v", "v", "active/archived/all")
	keyBackup = ui.Act("B", "B", "back up")

	keyCompact   = ui.Act("C", "C", "compact")
	keyCarryInto = ui.Act("t", "t", "transplant into it")

	keyRepair = ui.Act("R", "R", "repair")
)

// Actions implements ui.Screen.
func (c *Conversations) Actions() (out []ui.Action) {
	for _, a := range c.actions() {
		out = append(out, a.Action)
	}
	return append(out, c.list.Actions()...)
}

// actions are the screen's own keys.
func (c *Conversations) actions() []Action {
	r, some := c.list.Selected()
	const none = "there is no conversation"
	look := func(a ui.Action, run func() tea.Cmd) Action { return Action{a.In("Look").Off(some, none), run} }
	footer := func(a Action) Action {
		a.Footer = true
		return a
	}
	return []Action{
		footer(look(keyOpen, func() tea.Cmd { return c.open(tabMessages) })),
		footer(look(keySummaries, func() tea.Cmd { return c.open(tabSummaries) })),
		footer(look(keyContext, func() tea.Cmd { return c.open(tabContext) })),
		look(keyFiles, func() tea.Cmd { return c.open(tabFiles) }),
		look(keyCompareList, func() tea.Cmd { return c.leave(c.env.compare(r.Conversation)) }),
		{
			keyCompact.In("Change").InFooter().Off(some && c.env.summarizerMissing() == "", firstNonEmpty(c.env.summarizerMissing(), none)),
			func() tea.Cmd {
				return c.leave(c.env.compact(ui.LineN(r.name(), 40)+" › Compact", r.Conversation, r.budget, asConfigured))
			},
		},
		{
			keyRepair.In("Change").InFooter().Off(some && c.env.readOnly() == "", firstNonEmpty(c.env.readOnly(), none)),
			func() tea.Cmd { return c.env.repair(repairPlace{conversation: r.ID}) },
		},
		{keyCarryInto.In("Change").Off(c.notTarget() == "", c.notTarget()), c.transplant},
		look(keySession, func() tea.Cmd { return c.push(newSessionKey(c, r.Conversation, "")) }),
		{keyUnmark.In("Change").Off(len(c.env.marks) > 0, noneMarked), func() tea.Cmd { clear(c.env.marks); return nil }},
		look(keyDamaged, c.nextDamaged),
		{keyHealth.In("Look").InFooter(), func() tea.Cmd { return c.push(c.env.Screens.Health(c.env)) }},
		{keyHistory.In("Look").InFooter(), func() tea.Cmd { return c.push(c.env.Screens.History(c.env)) }},
		{keySecrets.In("Look"), func() tea.Cmd { return c.push(c.env.Screens.Secrets(c.env)) }},
		{keySpace.In("Look"), func() tea.Cmd { return c.push(c.env.Screens.Space(c.env)) }},
		c.markAction(r),
		{keyPrune.In("Change").Off(len(c.env.marks) > 0, noneMarked), func() tea.Cmd { return c.push(c.env.Screens.Cleanings(c.env)) }},
		{keySessions.In("Look"), func() tea.Cmd { return c.push(c.env.Screens.SessionFiles(c.env)) }},
		{keySettings.In("Look").Off(c.env.Settings != nil, "no settings are known here"), func() tea.Cmd { return c.push(NewConfig(c.env)) }},
		c.env.chooseModelAction(),
		{keyAgent.In("List").Off(len(c.agents) > 2, "there is only one agent"), func() tea.Cmd { return c.cycle(&c.agent, len(c.agents)) }},
		{keyShow.In("List"), func() tea.Cmd { return c.cycle(&c.show, len(shows)) }},
		{keyBackup.In("File"), c.env.askBackup},
		{keyExport.In("File").Off(some, none), func() tea.Cmd {
			return c.push(c.env.Screens.Export(c.env, r.Conversation, c.env.name(r.Conversation)+" › Export"))
		}},
	}
}

// markAction marks the conversation under the cursor.
func (c *Conversations) markAction(r *conversationRow) Action {
	id := int64(0)
	if r != nil {
		id = r.ID
	}
	a := c.env.markAction(id, func() { c.list.Move(1) })
	a.Footer = false // The footer has no room for it.
	return a
}

// Commands implements ui.Commander: each thing that the dialog on the session can do, by its name.
func (c *Conversations) Commands() (out []ui.Command) {
	r, some := c.list.Selected()
	add := func(word, name, row string) {
		out = append(out, ui.Command{
			Name: name, Kind: "Session", Word: word, Why: firstNonEmpty(textWhen(!some, "there is no conversation"), c.env.readOnly()),
			Run: func() tea.Cmd { return c.push(newSessionKey(c, r.Conversation, row)) },
		})
	}
	add("rename", "rename the session key of the conversation", sessionRename)
	add("move", "move the conversation to the place of another", sessionMove)
	if n := len(c.env.marks); n > 0 {
		add("archive", "archive "+plural.Count(n, "marked conversation", "marked conversations"), sessionArchiveMarked)
	}
	add("archive", "archive the conversation", sessionArchive)
	add("unarchive", "unarchive the conversation", sessionUnarchive)
	add("detach", "detach the transcript of the conversation", sessionDetach)
	return out
}

// runAction runs the screen's action for a key, and reports whether there is one.
func (c *Conversations) runAction(msg tea.KeyPressMsg) (tea.Cmd, bool) {
	if c.list.Typing() {
		return nil, false
	}
	return runAction(c.actions(), msg)
}

func (c *Conversations) open(tab int) tea.Cmd {
	r, ok := c.list.Selected()
	if !ok {
		return nil
	}
	return c.push(NewConversation(c.env, r.Conversation, r.budget).Tab(tab))
}

func (c *Conversations) push(s ui.Screen) tea.Cmd {
	return c.leave(ui.Say(ui.PushMsg{Screen: s}))
}

// leave stops the counting, which would slow the screen that cmd opens.
func (c *Conversations) leave(cmd tea.Cmd) tea.Cmd {
	c.hidden = true
	c.env.Jobs.Cancel(c, "count", "health")
	return cmd
}

// cycle goes to the next of n choices.
func (c *Conversations) cycle(choice *int, n int) tea.Cmd {
	*choice = (*choice + 1) % n
	c.refilter()
	return c.count()
}

// nextDamaged goes to the next conversation below that is known to be damaged, and says
// how many aren't checked yet: they are neither sound nor damaged.
func (c *Conversations) nextDamaged() tea.Cmd {
	items := c.list.Rows()
	say := func(text string) tea.Cmd { return ui.Say(ui.StatusMsg{Text: text}) }
	unchecked := c.unchecked()
	for i := range items {
		r := items[(c.list.Index()+1+i)%len(items)]
		if c.damage(r) > 0 {
			c.list.Select(r.id())
			if unchecked == 0 {
				return nil
			}
			return say(plural.Count(unchecked, "conversation isn't", "conversations aren't") + " checked yet: h checks the whole file")
		}
	}
	if unchecked == 0 {
		return say("no conversation of this list is damaged")
	}
	if unchecked == len(items) {
		return say("no conversation of this list is checked yet: h checks the whole file")
	}
	return say("no damage in the " + ui.Num(int64(len(items)-unchecked)) + " of " + ui.Num(int64(len(items))) +
		" conversations that are checked: h checks the whole file")
}
