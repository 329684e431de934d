package secrets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/columntexts"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/engine/redact"
	"lcm-tui/engine/token"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
)

// Op replaces secrets by placeholders. There is no undo of it.
type Op struct {
	Request
	// Choose are the findings that are replaced: numbers, or rules with numbers. None are all of
	// the class sure.
	Choose []string
	// Places are the ids of findings in whose place Choose would have their numbers: those of a scan
	// that others may have written after. Where one isn't found again, the plan fails.
	Places []string
	// StateFiles are files of this program with words that the user typed, in which the values are
	// replaced too.
	StateFiles []string
	// KeepBackup is where a copy of the database with the secrets goes first; empty is none.
	KeepBackup string
	// ForgetHashes computes the identity hashes again of the messages that had a secret. Without
	// it those of archived conversations are computed again.
	ForgetHashes bool
	// CacheFolders are the folders of cached answers, of which those with a secret are deleted.
	CacheFolders []string

	// StateFolder is the state folder of the host; empty where it isn't known. AgentFolders are where agents
	// keep their databases of sessions beside those in it.
	StateFolder  string
	AgentFolders []string

	// ProveLater leaves out the proof when the plan is applied: who closes the database, calls Finish
	// and opens it again calls Prove then.
	ProveLater bool

	// Result is what became of it, once it is applied.
	Result *Result
	report *Report
	chosen []redact.Finding
	number map[redact.Secret]int

	sessions []*sessionFile // Session files that change.
	host     hostSessions   // Of files of 1.0.
	reached  func(step string)
}

var _ ops.Op = (*Op)(nil)

// OpName is the name of the operation, in records.
const OpName = change.OpSecrets

// Name implements ops.Op.
func (*Op) Name() string { return OpName }

// Report returns what the plan found.
func (o *Op) Report() *Report { return o.report }

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	found, err := Find(ctx, db, o.Request, report)
	if err != nil {
		return ops.Plan{}, err
	}
	o.report = found
	numbers, err := o.choose(found)
	if err != nil {
		return ops.Plan{}, err
	}
	if len(numbers) == 0 {
		return ops.Plan{}, nothing(found.Counts)
	}
	o.chosen, o.number = nil, map[redact.Secret]int{}
	for _, n := range numbers {
		f := found.values[n]
		o.chosen = append(o.chosen, f)
		o.number[f.Secret] = n
	}
	if err := o.findSessionFiles(ctx, db, redact.NewKnown(o.chosen)); err != nil {
		return ops.Plan{}, err
	}
	o.host = hostSessions{op: o}
	if err := o.host.find(ctx, db, redact.NewKnown(o.chosen)); err != nil {
		return ops.Plan{}, err
	}
	if err := o.host.findKept(ctx, db, found, report); err != nil {
		return ops.Plan{}, err
	}
	if err := o.checkReplaceable(found); err != nil {
		return ops.Plan{}, err
	}
	set, err := o.set(ctx, db, found, numbers)
	if err != nil {
		return ops.Plan{}, err
	}
	p := ops.NewSet(OpName, fmt.Sprintf("replace %s by placeholders", plural.Count(len(numbers), "secret", "secrets")), set)
	p.Forecast = nil
	o.explain(ctx, db, &p)
	return p, o.warnStoredAgain(ctx, db, &p)
}

// nothing says that there is nothing that would be replaced, and how to choose others.
func nothing(found Counts) error {
	n := found.AtLeast(redact.Maybe)
	if n == 0 {
		return &hint.Error{Text: "nothing to do: no secret was found", Err: ops.ErrNothing}
	}
	return &hint.Error{
		Text:     fmt.Sprintf("nothing to do: %s, but none that is sure", plural.Count(n, "secret was found", "secrets were found")),
		Next:     "look at them with lcm-tui secrets, and name those to replace: --choose 3,5",
		OnScreen: "choose those to replace with space",
		Err:      ops.ErrNothing,
	}
}

// choose returns the numbers of the secrets that are replaced.
func (o *Op) choose(found *Report) (numbers []int, err error) {
	switch {
	case len(o.Places) > 0:
		if numbers, err = found.at(o.Places); err != nil {
			return nil, err
		}
	case len(o.Choose) > 0:
		if numbers, err = found.Choose(o.Choose); err != nil {
			return nil, err
		}
	default:
		for _, n := range found.Numbers() {
			if found.values[n].Class == redact.Sure {
				numbers = append(numbers, n)
			}
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers), nil
}

// checkReplaceable returns a *KeptError where the chosen secrets stand only in places that stay.
func (o *Op) checkReplaceable(found *Report) error {
	e := &KeptError{StoredAgain: len(o.host.kept) > 0}
	for _, f := range found.Findings {
		if _, chosen := o.number[found.values[f.Number].Secret]; !chosen {
			continue
		}
		if f.Kept == "" {
			return nil
		}
		e.Places = append(e.Places, f.place())
	}
	if slices.ContainsFunc(o.host.rows, func(r row) bool { return !o.host.keeps(r) }) { // Also where no rule finds them.
		return nil
	}
	return e
}

// set lists the conversations and rows that change as far as the scan saw them.
func (o *Op) set(ctx context.Context, db *data.DB, found *Report, numbers []int) (s ops.Set, err error) {
	s = ops.Set{Verb: OpName, Rows: map[string]int64{}, Writer: o}
	var rules []string
	for _, n := range numbers {
		rules = append(rules, fmt.Sprintf("%s#%d", found.values[n].Rule, n))
	}
	s.Selector = strings.Join(rules, ", ")
	rows, at := map[string]bool{}, map[int64]int{}
	all, err := lcm.Conversations(ctx, db)
	if err != nil && !errors.Is(err, data.ErrDamaged) {
		return s, err
	}
	for _, f := range found.Findings {
		row := f.Table + "\x00" + f.Key
		if !slices.Contains(numbers, f.Number) || f.File != "" || f.Kept != "" || rows[row] {
			continue
		}
		rows[row] = true
		s.Rows[f.Table]++
		if f.Conversation == nil {
			continue
		}
		i, some := at[*f.Conversation]
		if !some {
			i = len(s.Conversations)
			at[*f.Conversation] = i
			s.Conversations = append(s.Conversations, describe(*f.Conversation, all))
		}
		s.Conversations[i].Rows[f.Table]++
	}
	if len(s.Rows) == 0 { // Only files have them, or texts where no rule finds them.
		s.Rows["files"] = 1
	}
	return s, nil
}

// describe returns a conversation of the set.
func describe(id int64, all []lcm.Conversation) ops.SetConversation {
	out := ops.SetConversation{ID: id, NewestMessage: data.Time{Null: true}, Rows: map[string]int64{}, Why: "it has a secret"}
	for _, c := range all {
		if c.ID == id {
			out.Key, out.State = c.SessionKey, "archived"
			if c.Active {
				out.State = "active"
			}
		}
	}
	return out
}

// explain adds to the plan what can't be undone and what stays.
func (o *Op) explain(ctx context.Context, db *data.DB, p *ops.Plan) {
	p.Warn("this can't be undone: a record of the values would keep the secrets")
	p.Note("revoke each key where it was issued: whoever has read it has it")
	p.Note("every place in the file that has one of these values is changed, also in conversations that weren't scanned")
	if o.KeepBackup != "" {
		p.Warn("the backup " + o.KeepBackup + " keeps the secrets")
	}
	if o.FilesDir == "" {
		p.NoteFlag("large files on disk are not looked at; --files replaces there, too", "large files on disk are not looked at")
	}
	if n := o.exposed(ctx, db, p.Set.Conversations); n > 0 && !isOne(db) && len(o.Transcripts) == 0 {
		p.Warn(fmt.Sprintf("%s: a host may store the newest message of them again from its session file, with the secret", plural.Count(n, "active conversation has no entry ids", "active conversations have no entry ids")))
	}
	if n := len(o.host.changing()); n > 0 {
		p.Note(plural.Count(n, "database of sessions is", "databases of sessions are") + " changed as well, before the rows, which only works while no host has it open")
	}
	if n := len(o.sessions); n > 0 {
		p.Note(plural.Count(n, "session file is", "session files are") + " changed as well, which only works while no host has the database open")
	}
	if len(o.Transcripts) == 0 {
		what := "session files are not changed"
		if isOne(db) {
			what = "the sessions of the host are not changed"
		}
		p.Note(what + ", so the identity hashes of active conversations stay: the host knows its messages by them")
	}
	for _, f := range o.report.Findings {
		if _, chosen := o.number[o.report.values[f.Number].Secret]; chosen && f.Kept != "" {
			p.Warn(fmt.Sprintf("%s keeps %s#%d: %s", f.place(), f.Rule, f.Number, f.Kept))
		}
	}
	if n, err := change.CountBulkRecords(ctx, db); err == nil && n > 0 {
		p.Note(plural.Count(n, "record of an import has", "records of imports have") + " only digests of its rows: undoing it will refuse the rows that change")
	}
}

// warnStoredAgain warns where a host would store the history of an active conversation again, because
// its transcript keeps the texts that are replaced.
func (o *Op) warnStoredAgain(ctx context.Context, db *data.DB, p *ops.Plan) error {
	if len(o.Transcripts) > 0 {
		return nil
	}
	live := hostactivity.New(db.Now(), o.StateFolder)
	for _, c := range p.Set.Conversations {
		if c.State != "active" {
			continue
		}
		why, err := live.ReadStoredAgain(ctx, db, c.ID)
		if err != nil {
			return err
		}
		if why != "" {
			p.Warn(fmt.Sprintf("once the host is handed the whole history of conversation %d again, it stores all of it a second time, with the secrets: %s", c.ID, why))
		}
	}
	return nil
}

// exposed returns how many of the conversations are active and have a newest message without an entry id.
func (o *Op) exposed(ctx context.Context, db *data.DB, list []ops.SetConversation) (n int) {
	for _, c := range list {
		if c.State != "active" {
			continue
		}
		if newest, err := lcm.ReadNewestMessage(ctx, db, c.ID); err == nil && newest.Entry == "" {
			n++
		}
	}
	return n
}

// KeptError says that secrets stand only in places that stay, because others refer to them by these
// texts: a session key, an id, a path.
type KeptError struct {
	Places []string
	// StoredAgain says that some stay because a host would store them again.
	StoredAgain bool
}

func (e *KeptError) Error() string {
	why := "which other places refer to"
	if e.StoredAgain {
		why = "where the host would store them again"
	}
	return fmt.Sprintf("nothing more can be replaced: %s in %s, "+why, plural.Count(len(e.Places), "secret stays", "secrets stay"), strings.Join(e.Places[:min(len(e.Places), maxPlaces)], ", "))
}

// Hint says what to do instead.
func (e *KeptError) Hint() string {
	if e.StoredAgain {
		return "replace them in the host's sessions too, with --transcripts while the host is stopped; or start the host, go on in the conversation, and try again"
	}
	return "revoke the key where it was issued; remove the whole conversation or file if it has to go"
}

// replacement replaces the chosen secrets in texts.
func (o *Op) replacement(db *data.DB, known *redact.Known) *columntexts.Replacement {
	estimate := estimator(db)
	release := func(m columntexts.Message) bool { return !o.host.sweeps(o.host.sessionOf[m.Conversation]) }
	if !isOne(db) {
		release = nil
	}
	return &columntexts.Replacement{
		Release: release,
		Change:  func(text string) string { return o.redact(known, text) },
		Tokens:  estimate.Count,
		Reason:  "lcm-tui replaced a secret in its sources",
	}
}

// estimator estimates tokens as the host of a file does.
func estimator(db *data.DB) token.Estimator { return token.Of(db.Kind().Level) }

// redact replaces the chosen secrets in a text.
func (o *Op) redact(known *redact.Known, text string) string {
	return redact.Replace(text, known.Find(text), o.placeholder)
}

// placeholder returns what stands in the place of a secret.
func (o *Op) placeholder(f redact.Finding) string {
	return redact.Placeholder(f.Rule, o.number[f.Secret])
}
