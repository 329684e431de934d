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
	jobs   *ui.Jobs
	keys   *shellKeys
	take   func(tea.Msg) tea.Cmd // Hands a key or a paste to what takes it.
	handle func(tea.Msg) tea.Cmd // Handles any other message.
	say    func(status)

	awaited int       // Commands that have not answered.
	since   time.Time // When the first of these was awaited.
	round   int       // Answers to commands of earlier rounds no longer count.
	held    []tea.Msg // Keys and pastes that wait, in their order.
	last    time.Time // When the last key went to a screen.
	late    bool      // The key that a screen is given now was typed before the screen was there.
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

// holds reports whether keys wait.
func (t *typeahead) holds() bool { return t.awaited > 0 || t.jobs.Opening() != nil }

// hold keeps a key or a paste. Its command ends the wait.
func (t *typeahead) hold(msg tea.Msg) tea.Cmd {
	t.held = append(t.held, msg)
	if len(t.held) > 1 {
		return nil
	}
	return t.waitEnds()
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
// asked for. Esc does not wait for a job: it cancels the job, which ended reports.
func (t *typeahead) typed(msg tea.Msg) (cmd tea.Cmd, ended bool) {
	t.dropLate()
	k, isKey := msg.(tea.KeyPressMsg)
	if !t.holds() || isKey && key.Matches(k, t.keys.Interrupt, t.keys.Suspend) {
		return t.deliver(msg), false
	}
	if r := t.jobs.Opening(); r != nil && isKey && key.Matches(k, t.keys.Back) {
		r.Stop()
		t.drop()
		return nil, true
	}
	return t.hold(msg), false
}

// deliver hands over a key or a paste, and waits for what its command says.
func (t *typeahead) deliver(msg tea.Msg) tea.Cmd {
	t.last = t.jobs.Now()
	return t.await(t.take(msg))
}

// release hands over the keys that need no longer wait.
func (t *typeahead) release() tea.Cmd {
	t.dropLate()
	var cmds []tea.Cmd
	for msg := t.next(); msg != nil; msg = t.next() {
		t.late = true
		cmds = append(cmds, t.deliver(msg))
		t.late = false
	}
	if len(t.held) > 0 && len(cmds) > 0 { // They wait again, for the next screen.
		cmds = append(cmds, t.waitEnds())
	}
	return tea.Batch(cmds...)
}

// refuseUnseen reports whether a key that is given now was typed before the user saw what it would do. It is
// dropped then with those behind it, and the status line says so.
func (t *typeahead) refuseUnseen(m tea.KeyPressMsg, what string) bool {
	if t.late {
		t.drop()
		t.say(status{text: m.String() + " was typed before this was shown: look at it, then " + m.String() + " is " + what, kind: ui.Warn})
	}
	return t.late
}

// waitEnds returns a command that ends the wait.
func (t *typeahead) waitEnds() tea.Cmd {
	return tea.Tick(max(0, t.left()), func(time.Time) tea.Msg { return holdEndsMsg{} })
}

// dropLate drops the keys that have waited too long, and says so.
func (t *typeahead) dropLate() {
	if n := t.expire(); n > 0 {
		t.say(status{text: plural.Count(n, "key", "keys") + " ignored: the screen takes longer", kind: ui.Warn})
	}
}

// answered handles the message of an awaited command. What it leads to is awaited as well, except
// jobs, which take their time.
func (t *typeahead) answered(m answerMsg) tea.Cmd {
	if m.round == t.round {
		t.awaited--
	}
	if cmd, ok := t.jobs.Handle(m.msg); ok {
		return cmd
	}
	switch msg := m.msg.(type) {
	case nil:
		return nil
	case tea.BatchMsg:
		cmds := make([]tea.Cmd, len(msg))
		for i, cmd := range msg {
			cmds[i] = t.await(cmd)
		}
		return tea.Batch(cmds...)
	case tea.KeyPressMsg:
		return t.await(t.take(msg))
	}
	if isForBubbleTea(m.msg) {
		if reflect.TypeOf(m.msg).Name() == "execMsg" { // Keys were meant for the editor that opens.
			t.drop()
		}
		return ui.Say(m.msg)
	}
	return t.await(t.handle(m.msg))
}

// isForBubbleTea reports whether a message is one that Bubble Tea handles itself before any model sees
// it, such as text for the clipboard.
func isForBubbleTea(msg tea.Msg) bool {
	return reflect.TypeOf(msg).PkgPath() == reflect.TypeFor[tea.QuitMsg]().PkgPath()
}
