package shell

import (
	"reflect"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// holdAtMost is how long keys wait for a screen at most. A plan may take minutes.
const holdAtMost = 2 * time.Second

// typeahead keeps the keys that are typed while a screen that was asked for has not come yet. They
// were meant for that screen, and go there in their order once it is there.
//
// Keys wait while a command of the last key has not answered, which takes no time that a user
// notices, and while a job runs that ends in another screen (see ui.Jobs.Open). After holdAtMost
// the waiting keys are dropped, which the status line says, and later keys go to the present
// screen again. Where the job fails or is cancelled, the waiting keys are dropped as well:
// the screen for which they were typed does not come.
type typeahead struct {
	jobs    *ui.Jobs
	awaited int       // Commands that have not answered.
	since   time.Time // When the first of these was awaited.
	round   int       // Answers to commands of earlier rounds no longer count.
	held    []tea.Msg // Keys and pastes that wait, in their order.
	last    time.Time // When the last key went to a screen.
}

// answerMsg is the message of a command that is awaited.
type answerMsg struct {
	round int
	msg   tea.Msg
}

// holdEndsMsg says that held keys have waited long enough.
type holdEndsMsg struct{}

// await returns a command for whose message keys wait.
func (t *typeahead) await(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	if t.awaited == 0 {
		t.since = t.jobs.Now()
	}
	t.awaited++
	round := t.round
	return func() tea.Msg { return answerMsg{round, cmd()} }
}

// answered notes that a command has answered.
func (t *typeahead) answered(m answerMsg) {
	if m.round == t.round {
		t.awaited--
	}
}

// holds reports whether keys wait.
func (t *typeahead) holds() bool { return t.awaited > 0 || t.jobs.Opening() != nil }

// hold keeps a key or a paste. Its command ends the wait.
func (t *typeahead) hold(msg tea.Msg) tea.Cmd {
	t.held = append(t.held, msg)
	if len(t.held) > 1 {
		return nil
	}
	return tea.Tick(max(0, t.left()), func(time.Time) tea.Msg { return holdEndsMsg{} })
}

// left returns how long keys may still wait.
func (t *typeahead) left() time.Duration {
	waited := time.Duration(0)
	if t.awaited > 0 {
		waited = t.jobs.Now().Sub(t.since)
	}
	if r := t.jobs.Opening(); r != nil {
		waited = max(waited, t.jobs.Elapsed(r))
	}
	return holdAtMost - waited
}

// expire ends a wait that takes too long, and returns how many keys it drops.
func (t *typeahead) expire() int {
	if !t.holds() || t.left() > 0 {
		return 0
	}
	if t.awaited > 0 {
		t.awaited, t.round = 0, t.round+1
	}
	for r := t.jobs.Opening(); r != nil; r = t.jobs.Opening() {
		r.Opens = false
	}
	return t.drop()
}

// drop forgets the keys that wait, and returns how many there were.
func (t *typeahead) drop() int {
	n := len(t.held)
	t.held = nil
	return n
}

// next returns the key whose turn it is, or nil.
func (t *typeahead) next() tea.Msg {
	if len(t.held) == 0 || t.holds() {
		return nil
	}
	msg := t.held[0]
	t.held = t.held[1:]
	return msg
}

// typed takes a key or a paste from the terminal: it goes on its way, or waits for the screen that was
// asked for. Esc does not wait for a job: it cancels the job.
func (a *App) typed(msg tea.Msg) tea.Cmd {
	a.expireHold()
	k, isKey := msg.(tea.KeyPressMsg)
	if !a.ahead.holds() || isKey && key.Matches(k, a.keys.Interrupt, a.keys.Suspend) {
		return a.ahead.await(a.input(msg))
	}
	if r := a.jobs.Opening(); r != nil && isKey && key.Matches(k, a.keys.Back) {
		r.Stop()
		a.ahead.drop()
		a.closedByThisKey = true
		return nil
	}
	return a.ahead.hold(msg)
}

// input hands a key or a paste to what takes it.
func (a *App) input(msg tea.Msg) tea.Cmd {
	a.ahead.last = a.jobs.Now()
	if k, ok := msg.(tea.KeyPressMsg); ok {
		return a.key(k)
	}
	return a.paste(msg.(tea.PasteMsg))
}

// releaseHeld hands out the keys that need no longer wait.
func (a *App) releaseHeld() tea.Cmd {
	a.expireHold()
	var cmds []tea.Cmd
	for msg := a.ahead.next(); msg != nil; msg = a.ahead.next() {
		cmds = append(cmds, a.ahead.await(a.input(msg)))
	}
	if len(a.ahead.held) > 0 && len(cmds) > 0 { // They wait again, for the next screen.
		cmds = append(cmds, tea.Tick(max(0, a.ahead.left()), func(time.Time) tea.Msg { return holdEndsMsg{} }))
	}
	return tea.Batch(cmds...)
}

// expireHold drops the keys that have waited too long, and says so.
func (a *App) expireHold() {
	if n := a.ahead.expire(); n > 0 {
		a.status.say(status{text: plural.Count(n, "key", "keys") + " ignored: the screen takes longer", kind: ui.Warn})
	}
}

// answered handles the message of an awaited command. What it leads to is awaited as well, except
// jobs, which take their time.
func (a *App) answered(m answerMsg) tea.Cmd {
	a.ahead.answered(m)
	if cmd, ok := a.jobs.Handle(m.msg); ok {
		return cmd
	}
	switch msg := m.msg.(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		cmds := make([]tea.Cmd, len(msg))
		for i, cmd := range msg {
			cmds[i] = a.ahead.await(cmd)
		}
		return tea.Batch(cmds...)
	case tea.KeyPressMsg:
		return a.ahead.await(a.key(msg))
	}
	if isForBubbleTea(m.msg) {
		if reflect.TypeOf(m.msg).Name() == "execMsg" { // Keys were meant for the editor that opens.
			a.ahead.drop()
		}
		return ui.Say(m.msg)
	}
	return a.ahead.await(a.handle(m.msg))
}

// isForBubbleTea reports whether a message is one that Bubble Tea handles itself before any model sees
// it, such as text for the clipboard.
func isForBubbleTea(msg tea.Msg) bool {
	return reflect.TypeOf(msg).PkgPath() == reflect.TypeFor[tea.QuitMsg]().PkgPath()
}
