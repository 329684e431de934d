package shell

import (
	"context"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// Config is what a program is made of. Only First is required.
type Config struct {
	// Version is the program's, for reports of bugs.
	Version string
	// First is the root of the stack.
	First ui.Screen
	// Jobs is what the screens start their work with.
	Jobs *ui.Jobs
	// Styles is what the screens draw with; the shell overwrites the value
	// when the terminal tells its background.
	Styles *ui.Styles
	// Keymap is the keys that the user gave to actions; nil is none.
	Keymap ui.Keymap
	// Colors are those that the user chose; nil is none.
	Colors ui.Colors
	// Warning is said at the start until a key; empty says nothing.
	Warning string
	// Header returns the program's name and what stands on the right. It is
	// called for every drawing, so it must only return what is known already.
	Header func() Header
	// Watch reports whether another process changed what is shown since the
	// last call. It runs off the loop, every Poll, one call at a time.
	Watch func(context.Context) (changed bool, err error)
	// Poll is the time between two calls of Watch; 0 is one second.
	Poll time.Duration
	// Commands is what the palette offers on every screen, beside the screen's own
	// actions: the places of the program. It is called on the update loop; nil is none.
	Commands func() []ui.Command
	// Global returns the actions that every screen has, beside those of the shell. stack is the
	// screens from the first to the top one. Where the top screen has an action of its own for a
	// key, which works now, that one runs. Global is called on the update loop; nil is none.
	Global func(stack []ui.Screen) []GlobalAction
	// Find looks up what a query of the palette names, and what can only be known by
	// reading; the empty query is the palette as it opens. It runs off the update loop;
	// nil finds nothing. Each Run of what it returns is called on the update loop.
	Find func(ctx context.Context, query string) ([]ui.Command, error)
	// Sentence returns the text of an error in the words of the screens; nil leaves it as it is.
	Sentence func(string) string
	// Undo, if there is one, is what u does while the status line offers it.
	// Without it u goes to the screen as any key.
	Undo func() tea.Cmd
	// Unsaved says what beside the screens' own work (see Unsaver) is lost when the
	// program ends; nil, or empty, is nothing.
	Unsaved func() string
}

// App is the program, and the only tea.Model: a stack of screens under a
// header, above a status line and a footer.
type App struct {
	cfg    Config
	jobs   *ui.Jobs
	styles *ui.Styles
	keys   shellKeys
	keymap keymap // Of the user.

	stack    stack
	overlays overlays // Drawn over the top screen.
	status   statusLine
	ahead    typeahead
	watcher  *watcher
	watchErr string // What Watch told last.

	pulse           time.Time // The last change from outside.
	ignoreKeysUntil time.Time // Keys before then were meant for what was there before.
	quitting        bool
	restart         bool

	closedByThisKey bool // This key closed something, such as help or a filter.
	closedByLastKey bool // The key before it did.

	width, height int
}

// New returns a program that shows cfg.First.
func New(cfg Config) *App {
	if cfg.Jobs == nil {
		cfg.Jobs = ui.NewJobs(context.Background())
	}
	if cfg.Styles == nil {
		s := ui.NewStyles(true)
		cfg.Styles = &s
	}
	if cfg.Poll <= 0 {
		cfg.Poll = time.Second
	}
	a := &App{
		cfg: cfg, jobs: cfg.Jobs, styles: cfg.Styles,
		overlays: overlays{jobs: cfg.Jobs},
		status:   statusLine{styles: cfg.Styles, jobs: cfg.Jobs, sentence: cfg.Sentence},
		watcher:  &watcher{look: cfg.Watch, poll: cfg.Poll, jobs: cfg.Jobs},
	}
	a.status.keys = &a.keys
	a.ahead = typeahead{jobs: cfg.Jobs, keys: &a.keys, take: a.input, handle: a.handle, say: a.status.say}
	a.SetKeymap(cfg.Keymap)
	if cfg.Warning != "" {
		a.status.say(status{text: cfg.Warning, kind: ui.Warn})
	}
	a.stack = stack{levels: []*level{{screen: cfg.First}}, jobs: cfg.Jobs, move: a.overlays.close}
	return a
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, a.Top().Init(), a.watcher.watch())
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m, ok := msg.(watchedMsg); !ok || m.changed {
		a.watcher.noteEvent()
	}
	cmd := tea.Batch(a.handle(msg), a.ahead.release())
	a.overlays.refresh()
	return a, cmd
}

// Top returns the screen on top of the stack.
func (a *App) Top() ui.Screen { return a.stack.top() }

// Restart reports whether the program ended for the sake of a new one.
func (a *App) Restart() bool { return a.restart }

// Depth returns how many screens are on the stack.
func (a *App) Depth() int { return len(a.stack.levels) }

func (a *App) handle(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = m.Width, m.Height
	case tea.BackgroundColorMsg:
		*a.styles = a.cfg.Colors.Styles(m.IsDark())
	case tea.KeyPressMsg, tea.PasteMsg:
		cmd, ended := a.ahead.typed(msg)
		a.closedByThisKey = a.closedByThisKey || ended
		return cmd
	case answerMsg:
		return a.ahead.answered(m)
	case holdEndsMsg: // What waits too long is dropped after every message.
	case tea.MouseMsg:
		return a.mouse(m)
	case ui.ResultMsg:
		return a.result(m)
	case watchedMsg:
		return a.watched(m)
	case redrawMsg:
	case ui.QuitMsg:
		return a.quit()
	case ui.RestartMsg:
		return a.askRestart(m)
	default:
		if cmd, ok := a.jobs.Handle(msg); ok {
			return cmd
		}
		if cmd, ok := a.handleShellMsg(msg); ok {
			return cmd
		}
		return a.Top().Update(msg)
	}
	return nil
}

// handleShellMsg does what a screen or a job says to the shell, and reports whether msg
// was meant for it.
func (a *App) handleShellMsg(msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case ui.PushMsg:
		if m.Once && isSamePlace(m.Screen, a.Top()) {
			return nil, true
		}
		return a.stack.push(m.Screen), true
	case ui.PopMsg:
		if m.Screen != a.Top() {
			return nil, true
		}
		return a.stack.pop(), true
	case ui.SwitchMsg:
		return a.stack.switchTo(m), true
	case ui.BackToMsg:
		return a.stack.backTo(m), true
	case ui.HomeMsg:
		return a.stack.home(), true
	case ui.AskMsg:
		a.overlays.open = newQuestion(a.styles, m.Title, m.Text, m.Verb, m.Do)
		return nil, true
	case ui.ChangedMsg:
		return a.changed(m), true
	case ui.ActionMsg:
		for _, g := range a.globalActions() {
			if g.ID() == m.Name {
				return g.Run(), true
			}
		}
		return nil, true
	case ui.StatusMsg:
		a.status.say(status{text: m.Text, kind: m.Kind, stays: m.Stays})
		return nil, true
	case ui.ErrorMsg:
		a.status.fail(m.Err, false)
		return nil, true
	}
	return nil, false
}

// isSamePlace reports whether two screens show the same: their types and titles are the same.
func isSamePlace(a, b ui.Screen) bool {
	return reflect.TypeOf(a) == reflect.TypeOf(b) && a.Title() == b.Title()
}

// changed has every screen of the stack reload. A screen of a trail reloads when it is shown.
func (a *App) changed(m ui.ChangedMsg) tea.Cmd {
	if m.Note != "" {
		a.status.say(status{text: m.Note, kind: ui.Done, undo: m.Undo})
	}
	var cmds []tea.Cmd
	for _, s := range a.stack.screens() {
		cmds = append(cmds, s.Update(m))
	}
	return tea.Batch(cmds...)
}
