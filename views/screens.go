package views

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/ui/shell"
)

// Screens makes the screens that other screens open. Their packages import none of each other;
// each has a function Register, which fills in what is its own.
type Screens struct {
	// First is the screen of the program's start, Welcome the one where no database could be opened.
	First   func(env *Env) ui.Screen
	Welcome func(env *Env, o Options) ui.Screen
	// Choice are databases among which the user chooses first.
	Choice func(env *Env, found openclaw.Discovery) ui.Screen
	// Commands are the places of the program and Find what a query names, both for the palette.
	Commands func(env *Env) []ui.Command
	Find     func(ctx context.Context, env *Env, query string) ([]ui.Command, error)
	// Global are the keys of every screen.
	Global func(env *Env, stack []ui.Screen) []shell.GlobalAction
	Tabs   [TabCount]func(Tab) ui.Screen
	// Review plans an operation. It returns the review of the plan.
	Review func(ctx context.Context, env *Env, op ops.Op, report data.Report) (ui.Screen, error)
	// Compaction is the dialog of compacting a conversation. tail is a number of messages, or AsConfigured.
	Compaction func(env *Env, title string, conv lcm.Conversation, budget int64, tail int) ui.Screen
	// Repair offers what to repair from a place.
	Repair func(env *Env, from RepairPlace) ui.Screen
	Comparisons
	// Ask takes questions, first about a conversation; 0 is the whole file.
	Ask func(env *Env, conversation int64) ui.Screen
	Exports
	Cleaning
	// Memory is the memory of coding agents: what hooks keep, do and hand over. Entries is its promoted memory.
	Memory, Entries               func(env *Env) ui.Screen
	Health, History, SessionFiles func(env *Env) ui.Screen
	// Fleet is the machines of which copies are kept, where Env.Machines returns them.
	Fleet func(env *Env) ui.Screen
}

// Cleaning makes the screens of what may go.
type Cleaning struct {
	// Trash is at the file of this name; an empty name is the newest.
	Trash func(env *Env, name string) ui.Screen
	// Cleanings is the screen of space, at what each cleaning gives back.
	Cleanings      func(env *Env) ui.Screen
	Secrets, Space func(env *Env) ui.Screen
}

// Comparisons makes the screens that compare.
type Comparisons struct {
	// Comparison is a conversation beside its transcript, which is looked for.
	Comparison func(env *Env, conv lcm.Conversation) ui.Screen
	// FileDiff compares the database with another file, RecordDiff with what it was before a change.
	FileDiff   func(env *Env, path string) ui.Screen
	RecordDiff func(env *Env, r *change.Record) ui.Screen
	DiffChoice func(env *Env) ui.Screen
}

// Exports makes the screens that write new files for others.
type Exports struct {
	Export func(env *Env, conv lcm.Conversation, title string) ui.Screen
	// Slice copies conversations into a new database.
	Slice func(env *Env, conversations []int64) ui.Screen
	// Bundle is the files of a bug report.
	Bundle func(env *Env) ui.Screen
}

// push shows a screen over the present one.
func push(s ui.Screen) tea.Cmd { return ui.Say(ui.PushMsg{Screen: s}) }

// Repair offers what to repair from a place.
func (e *Env) Repair(from RepairPlace) tea.Cmd { return push(e.Screens.Repair(e, from)) }

// Compact opens the dialog of compacting a conversation, under its title in the breadcrumb.
// tail is a number of messages, or asConfigured.
func (e *Env) Compact(title string, conv lcm.Conversation, budget int64, tail int) tea.Cmd {
	return push(e.Screens.Compaction(e, title, conv, budget, tail))
}

// Compare opens the screen of a conversation and its transcript.
func (e *Env) Compare(conv lcm.Conversation) tea.Cmd { return push(e.Screens.Comparison(e, conv)) }

// ScreenOf returns a function that makes a screen of some type as one that makes a screen.
func ScreenOf[S ui.Screen](newScreen func(*Env) S) func(*Env) ui.Screen {
	return func(e *Env) ui.Screen { return newScreen(e) }
}

// RepairPlace is where the user pressed R: what a repair can be about from there.
type RepairPlace struct {
	Conversation int64               // 0 is the file.
	Summary      string              // Empty where R wasn't pressed on a summary.
	Finding      *integrity.Finding  // Nil where R wasn't pressed on a finding.
	Faults       []integrity.FaultID // The faults of a row of the health screen, or of a context.
	FaultsName   string              // What they are called.
	Found        []integrity.Finding // What a check found; nil where none was made.
	WholeFile    bool                // found is of the whole file.
}
