package home

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
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

// OwnActions implements views.ListOwner.
func (c *Conversations) OwnActions() []views.Action {
	r, some := c.List.Selected()
	const none = "there is no conversation"
	look := func(a ui.Action, run func() tea.Cmd) views.Action {
		return views.Action{Action: a.In("Look").Off(some, none), Run: run}
	}
	footer := func(a views.Action) views.Action {
		a.Footer = true
		return a
	}
	menu := func(a views.Action) views.Action {
		a.Menu = true
		return a
	}
	return []views.Action{
		footer(look(keyOpen, func() tea.Cmd { return c.open(views.TabMessages) })),
		footer(look(keySummaries, func() tea.Cmd { return c.open(views.TabSummaries) })),
		footer(look(keyContext, func() tea.Cmd { return c.open(views.TabContext) })),
		look(keyFiles, func() tea.Cmd { return c.open(views.TabFiles) }),
		look(views.KeyCompare, func() tea.Cmd { return c.leave(c.env.Compare(r.Conversation)) }),
		{
			Action: keyCompact.In("Change").InFooter().Off(some && c.env.SummarizerMissing() == "", views.FirstNonEmpty(c.env.SummarizerMissing(), none)),
			Run: func() tea.Cmd {
				return c.leave(c.env.Compact(ui.LineN(r.name(), 40)+" › Compact", r.Conversation, r.budget, views.AsConfigured))
			},
		},
		{
			Action: keyRepair.In("Change").InFooter().Off(some && c.env.ReadOnly() == "", views.FirstNonEmpty(c.env.ReadOnly(), none)),
			Run:    func() tea.Cmd { return c.env.Repair(views.RepairPlace{Conversation: r.ID}) },
		},
		{Action: keyCarryInto.In("Change").InMenu().Off(c.notTarget() == "", c.notTarget()), Run: c.transplant},
		menu(look(views.KeySession, func() tea.Cmd { return c.push(newSessionKey(c, r.Conversation, "")) })),
		menu(look(views.KeyLifecycle, func() tea.Cmd { return c.push(newLifecycle(c.env, r.Conversation, "")) })),
		{Action: views.KeyUnmark.In("Change").InMenu().Off(len(c.env.Marks) > 0, views.NoneMarked), Run: func() tea.Cmd { clear(c.env.Marks); return nil }},
		look(keyDamaged, c.nextDamaged),
		{Action: views.KeyHealth.In("Look").InFooter(), Run: func() tea.Cmd { return c.push(c.env.Screens.Health(c.env)) }},
		{Action: views.KeyHistory.In("Look").InFooter(), Run: func() tea.Cmd { return c.push(c.env.Screens.History(c.env)) }},
		{Action: views.KeySecrets.In("Look"), Run: func() tea.Cmd { return c.push(c.env.Screens.Secrets(c.env)) }},
		{Action: views.KeySpace.In("Look"), Run: func() tea.Cmd { return c.push(c.env.Screens.Space(c.env)) }},
		c.markAction(r),
		{Action: views.KeyPrune.In("Change").InMenu().Off(len(c.env.Marks) > 0, views.NoneMarked), Run: func() tea.Cmd { return c.push(c.env.Screens.Cleanings(c.env)) }},
		{Action: views.KeySessions.In("Look").InMenu(), Run: func() tea.Cmd { return c.push(c.env.Screens.SessionFiles(c.env)) }},
		{Action: views.KeyMemory.In("Look").InMenu(), Run: func() tea.Cmd { return c.push(c.env.Screens.Memory(c.env)) }},
		{Action: views.KeySettings.In("Look").InMenu().Off(c.env.Settings != nil, "no settings are known here"), Run: func() tea.Cmd { return c.push(NewConfig(c.env)) }},
		menu(c.env.ChooseModelAction()),
		{Action: keyAgent.In("List").InMenu().Off(len(c.agents) > 2, "there is only one agent"), Run: func() tea.Cmd { return c.cycle(&c.agent, len(c.agents)) }},
		{Action: keyShow.In("List").InMenu(), Run: func() tea.Cmd { return c.cycle(&c.show, len(shows)) }},
		{Action: keyBackup.In("File").InMenu().Off(whyNoBackup(c.env.DB) == "", whyNoBackup(c.env.DB)), Run: func() tea.Cmd { return askBackup(c.env) }},
		{Action: views.KeyExport.In("File").Off(some, none), Run: func() tea.Cmd {
			return c.push(c.env.Screens.Export(c.env, r.Conversation, c.env.Name(r.Conversation)+" › Export"))
		}},
	}
}

// markAction marks the conversation under the cursor.
func (c *Conversations) markAction(r *conversationRow) views.Action {
	id := int64(0)
	if r != nil {
		id = r.ID
	}
	a := c.env.MarkAction(id, func() { c.List.Move(1) })
	a.Footer = false // The footer has no room for it.
	return a
}

// Commands implements ui.Commander: each thing that the dialog on the session can do, by its name.
func (c *Conversations) Commands() (out []ui.Command) {
	r, some := c.List.Selected()
	add := func(word, name, row string) {
		out = append(out, ui.Command{
			Name: name, Kind: "Session", Word: word, Why: views.FirstNonEmpty(views.TextWhen(!some, "there is no conversation"), c.env.ReadOnly()),
			Run: func() tea.Cmd { return c.push(newSessionKey(c, r.Conversation, row)) },
		})
	}
	out = append(out, sliceCommand(c))
	add("rename", "rename the session key of the conversation", sessionRename)
	add("move", "move the conversation to the place of another", sessionMove)
	if n := len(c.env.Marks); n > 0 {
		add("archive", "archive "+plural.Count(n, "marked conversation", "marked conversations"), sessionArchiveMarked)
	}
	add("archive", "archive the conversation", sessionArchive)
	add("unarchive", "unarchive the conversation", sessionUnarchive)
	add("detach", "detach the transcript of the conversation", sessionDetach)
	return append(out, lifecycleCommands(c)...)
}

// sliceCommand copies the marked conversations, or the one under the cursor, into a new database.
func sliceCommand(c *Conversations) ui.Command {
	r, some := c.List.Selected()
	out := ui.Command{Name: "copy the conversation into a new database", Kind: "File", Word: "slice", Why: views.TextWhen(!some, "there is no conversation")}
	chosen := c.env.Marks.IDs()
	switch {
	case len(chosen) > 0:
		out.Name, out.Why = "copy "+plural.Count(len(chosen), "marked conversation", "marked conversations")+" into a new database", ""
	case some:
		chosen = []int64{r.ID}
	}
	out.Run = func() tea.Cmd { return c.push(c.env.Screens.Slice(c.env, chosen)) }
	return out
}

func (c *Conversations) open(tab int) tea.Cmd {
	r, ok := c.List.Selected()
	if !ok {
		return nil
	}
	return c.push(views.NewConversation(c.env, r.Conversation, r.budget).Tab(tab))
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
	items := c.List.Rows()
	say := func(text string) tea.Cmd { return ui.Say(ui.StatusMsg{Text: text}) }
	unchecked := c.unchecked()
	for i := range items {
		r := items[(c.List.Index()+1+i)%len(items)]
		if c.text.damage(r) > 0 {
			c.List.Select(r.id())
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
