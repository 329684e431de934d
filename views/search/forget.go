package search

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/search"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/proof"
	"lcm-tui/ui"
	"lcm-tui/views"
)

var keyForgetFound = ui.Act("P", "P", "forget these messages")

// forgetFound plans that the texts of all messages that a query finds are forgotten. Nothing is written before the
// review; what is written then has a receipt beside the database.
func forgetFound(e *views.Env, owner ui.Screen, q search.Query, o search.ParseOptions) tea.Cmd {
	op := &prune.Op{Verb: prune.Text, StateFolder: e.State}
	db, folder := e.DB, e.Files
	beside := proof.Beside{}
	if e.Cache != "" {
		beside.Caches = []string{e.Cache}
	}
	if e.Queries != "" {
		beside.Searched = []string{e.Queries}
	}
	version, stamp := e.Version, e.Now().UTC().Format("20060102T150405Z")
	return e.Planned(owner, op.Name(), func(context.Context) (ops.Op, error) {
		op.FilesFolder = prune.FilesFolder(db, folder) // It looks at the disk.
		beside.FilesFolder = op.FilesFolder
		op.Matching = &prune.Matching{
			Query: q, Options: o, Version: version, Beside: beside, Receipt: db.Path() + ".lcm-tui-receipt-" + stamp + ".json",
		}
		return op, nil
	})
}

// whyNotForgotten says why what was found can't be forgotten, or is empty.
func whyNotForgotten(e *views.Env, q search.Query) string {
	return views.FirstNonEmpty(views.TextWhen(q.IsEmpty(), "nothing is searched"), e.ReadOnly())
}
