package ui

import tea "charm.land/bubbletea/v2"

// What a screen or a job may say to the shell.
type (
	// PushMsg opens Screen above the present one. With Once it does nothing where that shows the same: who goes to a
	// place twice goes back from it once.
	PushMsg struct {
		Screen Screen
		Once   bool
	}
	// PopMsg goes back from Screen to the one below. It does nothing where another screen is on
	// top, so that a key pressed twice leaves one screen, and at the root.
	PopMsg struct{ Screen Screen }
	// ShownMsg tells a screen that the one above it is gone.
	ShownMsg struct{}
	// SwitchMsg shows Screen in place of the top one, as tabs do. The jobs of the one
	// that goes are cancelled. Back returns to it, at its place if it is a Placer. With Once back doesn't return to
	// earlier visits of Screen: who goes to a tab twice goes back from it once.
	SwitchMsg struct {
		Screen Screen
		Once   bool
	}
	// HomeMsg goes back to the first screen.
	HomeMsg struct{}
	// BackToMsg goes back to Screen, and opens Next above it unless Next is nil. Where Screen isn't
	// among those below, Next opens above the top screen.
	BackToMsg struct{ Screen, Next Screen }
	// AskMsg asks a question over the screen. Its title is the question; Do runs after a
	// yes, and Verb is what it does: "quit".
	AskMsg struct {
		Title, Text, Verb string
		Do                func() tea.Cmd
	}
	// ChangedMsg says that what is shown was changed. Every screen on the
	// stack gets it and reloads.
	ChangedMsg struct {
		// Note is what happened, for the status line; empty says nothing.
		Note string
		// Undo offers u on the status line.
		Undo bool
		// External says that another process made the change.
		External bool
	}
	// ActionMsg runs the action of every screen that has this name, whatever its key is.
	ActionMsg struct{ Name string }
	// StatusMsg puts Text on the status line until the next key, or some seconds. One that Stays is shown
	// in full and waits for the key.
	StatusMsg struct {
		Text  string
		Kind  Kind
		Stays bool
	}
	// ErrorMsg shows Err until a key is pressed. An error with a method
	// Hint() string anywhere in its chain gets that as a second line.
	ErrorMsg struct{ Err error }
	// FailedMsg tells the owner of a job that it ended without a result. The
	// error is on the status line already; a cancelled job's Err is
	// context.Canceled.
	FailedMsg struct {
		Name string
		Err  error
	}
)

// Kind is what sort of thing a status says.
type Kind int

// The kinds of status.
const (
	Info Kind = iota // neutral
	Done             // something was done
	Warn             // done, but look
)

// Say returns a command that says msg.
func Say(msg tea.Msg) tea.Cmd { return func() tea.Msg { return msg } }

// RestartMsg ends the program for the sake of a new one: a question first, as the key q
// asks. App.Restart is true then.
type RestartMsg struct {
	// Question is what is asked where something is lost, and Verb what y does; empty are those of
	// opening the same again.
	Question, Verb string
	// Before runs when it is sure that the program ends; nil does nothing.
	Before func()
}

// QuitMsg ends the program as the key does: jobs are cancelled and waited for.
type QuitMsg struct{}
