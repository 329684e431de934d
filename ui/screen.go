package ui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Screen is one full-window view. Screens are pointers: Update changes the
// screen in place and returns only a command. All methods are called on the
// update loop.
type Screen interface {
	// Title is the screen's part of the breadcrumb.
	Title() string
	// Purpose is one sentence on what the screen is for; help begins with it.
	Purpose() string
	// Actions is every key of the screen as of now, most useful first.
	Actions() []Action
	// Init is run when the program starts with the screen, and whenever
	// PushMsg or SwitchMsg puts it on top, or back returns to it from a switch; not when
	// the one above it goes.
	Init() tea.Cmd
	// Update takes keys, mouse (y counts from the top of the screen's own
	// area), ChangedMsg, FailedMsg and the results of the screen's jobs.
	Update(tea.Msg) tea.Cmd
	// View draws the screen; what exceeds width or height is cut.
	View(width, height int) string
}

// Typer is a screen that at times takes every key but ctrl+c as text.
type Typer interface{ Typing() bool }

// Escaper is a screen that may have a use for esc before it means "back", such
// as clearing a filter. Escape reports whether it had one.
type Escaper interface{ Escape() bool }

// Placer is a screen that others share or move, such as the tabs of a conversation. Place
// returns what brings the screen back to its present place: cursor, scroll, filter. The
// shell calls it when it switches to another screen, and runs its result, after Init, when
// the user comes back.
type Placer interface {
	Place() (restore func() tea.Cmd)
}

// Positioner is a screen with a place in what it shows, such as "12 of 4,147". The footer
// ends with it.
type Positioner interface{ Position() string }

// Legender is a screen with marks that need an explanation. Help ends with them.
type Legender interface{ Legend() []Sign }

// Sign is a mark, styled as the screen draws it, and what it means.
type Sign struct{ Mark, Meaning string }

// Copier is a screen with something that y copies, such as the id under the
// cursor. An empty string means there is nothing to copy now.
type Copier interface{ Copy() string }

// Action is the one description of what a key does. The footer, the help and
// the palette are all made of it.
type Action struct {
	// Key holds the keys, their help, and whether they work now (SetEnabled).
	Key key.Binding
	// Name is what a user's configuration calls it; empty is its description, see ID.
	Name string
	// Each says that each of its keys does something else, such as up and down.
	Each bool
	// Group is the heading under which help lists it.
	Group string
	// Why says why the action is not possible now; read only when disabled.
	Why string
	// Footer says that the action is worth a place in the footer.
	Footer bool
	// Menu says that the action is rarely of use: its key works in the menu of the screen only.
	Menu bool
	// Deliberate says that the action changes or spends something that the screen shows before: a key that
	// was typed before the screen was there doesn't do it.
	Deliberate bool
	// OnlyKey says that the action makes sense only as a key, such as an arrow that is
	// pressed again and again: the palette leaves it out.
	OnlyKey bool
}

// Act returns an action with its key name or names, the way help prints them, and a
// description: Act("d", "d", "dissolve"). Several names are split by spaces.
//
// It is not inlined, nor is Off: the tables of keys call them hundreds of times, and a copy
// in each place makes the program larger by 29 kB.
//
//go:noinline
func Act(keys, label, what string) Action {
	return Action{Key: Bind(keys, label, what)}
}

// Bind returns the binding of keys, which are names split by spaces ("up k"),
// printed as label and described by what.
func Bind(keys, label, what string) key.Binding {
	return key.NewBinding(key.WithKeys(strings.Fields(keys)...), key.WithHelp(label, what))
}

// OnSight returns the action as one that is Deliberate.
func (a Action) OnSight() Action {
	a.Deliberate = true
	return a
}

// In returns the action as listed under group.
func (a Action) In(group string) Action {
	a.Group = group
	return a
}

// Named returns the action with a name for the user's configuration, where its description changes.
func (a Action) Named(name string) Action {
	a.Name = name
	return a
}

// WithEach returns the action as one whose keys do different things.
func (a Action) WithEach() Action {
	a.Each = true
	return a
}

// JoinedWith returns an action with the keys of two, which help shows as the first: one is the opposite of
// the other.
func (a Action) JoinedWith(b Action) Action {
	on := a.Key.Enabled()
	a.Key = JoinBindings(b.Key, a.Key, a.Key.Help().Key, a.Key.Help().Desc)
	a.Key.SetEnabled(on)
	return a.WithEach()
}

// InFooter returns the action with a place in the footer.
func (a Action) InFooter() Action {
	a.Footer = true
	return a
}

// InMenu returns the action as one of the screen's menu.
func (a Action) InMenu() Action {
	a.Menu = true
	return a
}

// AsKeyOnly returns the action as one that the palette leaves out.
func (a Action) AsKeyOnly() Action {
	a.OnlyKey = true
	return a
}

// Off returns the action disabled for the reason why, or as it is if possible.
//
//go:noinline
func (a Action) Off(possible bool, why string) Action {
	if !possible {
		a.Key.SetEnabled(false)
		a.Why = why
	}
	return a
}

// Typing is the group of actions that work while a screen takes text. The
// footer shows these and no others as long as it does.
const Typing = "Typing"

// Commander is a screen with entries of the palette for which it has no keys.
type Commander interface {
	Commands() []Command
}

// Command is an entry of the palette that is no key of the screen: a place of the program,
// or a thing that was found by its name or id.
type Command struct {
	// Name is what the palette shows and searches. Two commands of one name are one: the
	// first that is possible stays.
	Name string
	// Kind says what sort of thing it is, such as "Go to" or "conversation".
	Kind string
	// Label is the key that does the same elsewhere; empty for none.
	Label string
	// Action is the action of every screen that does the same, whose key is the label; or zero.
	Action Action
	// Why says why it isn't possible now; empty if it is.
	Why string
	// Run does it.
	Run func() tea.Cmd
	// Word holds the queries, split by spaces, that name the command: it is listed first then.
	Word string
	// OnQuery says that it is listed for a query only.
	OnQuery bool
	// Found says that the query named it, by an id for example: it is listed first, even
	// where its name reads otherwise.
	Found bool
}

// Leaver is a screen that has something to say when the user has gone back from it.
type Leaver interface{ Left() tea.Cmd }

// Unsaver is a screen that may hold work that is lost when the program ends, such as
// texts of a model that nobody applied yet. Unsaved says what it is, in a sentence, or is
// empty. The shell asks before it quits.
type Unsaver interface{ Unsaved() string }
