package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Config is what a program is made of. Only First is required.
type Config struct {
	// Version is the program's, for reports of bugs.
	Version string
	// First is the root of the stack.
	First Screen
	// Jobs is what the screens start their work with.
	Jobs *Jobs
	// Styles is what the screens draw with; the shell overwrites the value
	// when the terminal tells its background.
	Styles *Styles
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
	Commands func() []Command
	// Global returns the actions that every screen has, beside those of the shell. stack is the
	// screens from the first to the top one. Where the top screen has an action of its own for a
	// key, which works now, that one runs. Global is called on the update loop; nil is none.
	Global func(stack []Screen) []GlobalAction
	// Find looks up what a query of the palette names, and what can only be known by
	// reading; the empty query is the palette as it opens. It runs off the update loop;
	// nil finds nothing. Each Run of what it returns is called on the update loop.
	Find func(ctx context.Context, query string) ([]Command, error)
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
	jobs   *Jobs
	styles *Styles
	keys   shellKeys

	stack   []*level
	overlay overlay // Drawn over the top screen; nil for none.

	status status
	err    error // Stays on the status line until a key.
	// errOfRead says that err kept a screen from being read, which can be tried again.
	errOfRead       bool
	watchErr        string
	pace            pace      // Of Watch.
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
		cfg.Jobs = NewJobs(context.Background())
	}
	if cfg.Styles == nil {
		s := NewStyles(true)
		cfg.Styles = &s
	}
	if cfg.Poll <= 0 {
		cfg.Poll = time.Second
	}
	return &App{
		cfg: cfg, jobs: cfg.Jobs, styles: cfg.Styles, keys: newShellKeys(),
		stack: []*level{{screen: cfg.First}},
	}
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, a.top().Init(), a.watch())
}

// Update implements tea.Model.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m, ok := msg.(watchedMsg); !ok || m.changed {
		a.pace.event.Store(time.Now().UnixNano())
	}
	return a, a.handle(msg)
}

// Top returns the screen on top of the stack.
func (a *App) Top() Screen { return a.top() }

// Restart reports whether the program ended for the sake of a new one.
func (a *App) Restart() bool { return a.restart }

// Depth returns how many screens are on the stack.
func (a *App) Depth() int { return len(a.stack) }

func (a *App) top() Screen { return a.stack[len(a.stack)-1].screen }

func (a *App) handle(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = m.Width, m.Height
	case tea.BackgroundColorMsg:
		*a.styles = NewStyles(m.IsDark())
	case tea.KeyPressMsg:
		return a.key(m)
	case tea.PasteMsg:
		return a.paste(m)
	case tea.MouseMsg:
		return a.mouse(m)
	case progressMsg:
		return a.progress(m)
	case frameMsg:
		return a.nextSpinnerFrame(m)
	case resultMsg:
		return a.result(m)
	case watchedMsg:
		return a.watched(m)
	case redrawMsg:
	case QuitMsg:
		return a.quit()
	case RestartMsg:
		return a.askRestart(m)
	default:
		if cmd, ok := a.handleShellMsg(msg); ok {
			return cmd
		}
		return a.top().Update(msg)
	}
	return nil
}

// handleShellMsg does what a screen or a job says to the shell, and reports whether msg
// was meant for it.
func (a *App) handleShellMsg(msg tea.Msg) (tea.Cmd, bool) {
	switch m := msg.(type) {
	case PushMsg:
		return a.push(m.Screen), true
	case PopMsg:
		if m.Screen != a.top() {
			return nil, true
		}
		return a.pop(), true
	case SwitchMsg:
		return a.switchTo(m.Screen), true
	case BackToMsg:
		return a.backTo(m), true
	case HomeMsg:
		return a.home(), true
	case AskMsg:
		a.overlay = newQuestion(a.styles, m.Title, m.Text, m.Verb, m.Do)
		return nil, true
	case ChangedMsg:
		return a.changed(m), true
	case StatusMsg:
		a.setStatus(status{text: m.Text, kind: m.Kind})
		return nil, true
	case ErrorMsg:
		a.err, a.errOfRead = m.Err, false
		return nil, true
	}
	return nil, false
}
