package removal

import (
	"context"
	"encoding/json"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops/trash"
)

// Forgetting replaces the texts of messages by stubs.
type Forgetting struct {
	Verb     string // Of prune: text or payloads.
	Title    string
	Selector string // What was selected, in words.
	// Rules are what is forgotten of each conversation, and Guards what these must be like still.
	Rules  []TextRule
	Guards []change.ConversationGuard
	// Erase overwrites the texts in the file with zeros, so that no free page keeps them.
	Erase bool
	// Then works in further turns after the last text is forgotten, until it is done; nil does nothing.
	Then func(ctx context.Context, t *change.Turn) (done bool, err error)
}

// ForgetTexts writes the rows of messages and their parts to the trash, and then replaces their
// texts by stubs, in short transactions under one record. The rows stay, and with them all by
// which a host knows them again. A message that has changed since the trash was written keeps its
// text. detail is what the record remembers; the receipt of the trash comes into it. It fails with
// a *data.StaleError or a *change.StoppedError, or where the trash can't be used.
func ForgetTexts(ctx context.Context, db *data.DB, f Forgetting, detail map[string]any, report data.Report) (change.Outcome, error) {
	w := newForgetter(f.Guards)
	w.then = f.Then
	shared, err := SharedMessages(ctx, db)
	if err != nil {
		return change.Outcome{}, err
	}
	var all []int64
	for _, r := range f.Rules {
		ids, _, err := Texts(ctx, db, r, shared)
		if err != nil {
			return change.Outcome{}, err
		}
		all = append(all, ids...)
		for at := 0; at < len(ids); at += messagesPerStatement {
			w.waiting = append(w.waiting, portion{r, ids[at:min(len(ids), at+messagesPerStatement)]})
		}
	}
	if len(all) == 0 {
		return change.Outcome{}, errNothingLeft()
	}
	w.total = int64(len(all))
	contents := trash.Contents{Verb: f.Verb, Selector: f.Selector, Messages: all}
	out, err := trash.Keep(ctx, db, contents, detail, report, func(receipt change.Receipt, text json.RawMessage) (change.Outcome, error) {
		return change.WriteSet(ctx, db, change.SetWrite{
			Op: "prune", Title: f.Title, Detail: text, Attach: map[string]string{trashSchema: receipt.Path}, Erase: f.Erase, Write: w.write, Report: report,
		})
	})
	w.warn(db)
	return out, err
}

// errNothingLeft says that nothing of what the plan saw is there to be written.
func errNothingLeft() error {
	return &data.StaleError{What: "every selected text", Why: "is forgotten or in use by now"}
}

// trashSchema is the name under which SQL knows the trash file.
const trashSchema = "kept"

// portion is some messages of one rule.
type portion struct {
	rule TextRule
	ids  []int64
}

// forgetter writes the turns.
type forgetter struct {
	guarded
	waiting []portion
	total   int64
	done    int64
	then    func(ctx context.Context, t *change.Turn) (done bool, err error)
}

func newForgetter(guards []change.ConversationGuard) forgetter {
	return forgetter{guarded: newGuarded(guards)}
}

func (w *forgetter) write(ctx context.Context, t *change.Turn) (bool, error) {
	done, err := w.writePortions(ctx, t, len(w.waiting), forgetPortion)
	if err != nil || !done || w.then == nil {
		return done, err
	}
	return w.then(ctx, t)
}

// writePortions writes the first portions, at most so many, until the turn is full.
func (w *forgetter) writePortions(ctx context.Context, t *change.Turn, most int, write func(context.Context, *change.Turn, portion) (int64, error)) (bool, error) {
	n := 0
	for ; n < most && !t.Full(); n++ {
		p := w.waiting[n]
		w.done += int64(len(p.ids))
		if same, err := w.checkRule(ctx, t, p.rule); err != nil || !same {
			if err != nil {
				return false, err
			}
			continue
		}
		written, err := write(ctx, t, p)
		if err != nil {
			return false, err
		}
		w.written += written
		t.Wrote(len(p.ids))
	}
	w.waiting = w.waiting[n:]
	t.Progress(w.done, w.total, "messages")
	return len(w.waiting) == 0, w.checkWritten(len(w.waiting))
}

// sameInTrashSQL selects the messages of a list whose rows and parts are in the trash as they are now.
const sameInTrashSQL = `SELECT m.message_id FROM main.messages m JOIN kept.messages k ON k.message_id = m.message_id
	WHERE m.message_id IN (SELECT value FROM json_each(?1))
	AND m.content IS k.content AND m.conversation_id = k.conversation_id AND m.seq = k.seq AND m.role = k.role
	AND (SELECT count(*) FROM main.message_parts p WHERE p.message_id = m.message_id) = (SELECT count(*) FROM kept.message_parts q WHERE q.message_id = m.message_id)
	AND NOT EXISTS (SELECT 1 FROM main.message_parts p LEFT JOIN kept.message_parts q ON q.message_id = p.message_id AND q.ordinal = p.ordinal
		WHERE p.message_id = m.message_id AND (q.part_id IS NOT p.part_id OR %))`

// forgetPortion forgets the texts of messages that still qualify and are in the trash as they are.
func forgetPortion(ctx context.Context, t *change.Turn, p portion) (written int64, err error) {
	texts, err := qualifying(ctx, t, p)
	if err != nil {
		return 0, err
	}
	for _, m := range texts {
		if err := forgetText(ctx, t, m); err != nil {
			return 0, err
		}
	}
	return int64(len(texts)), takeEntries(ctx, t, texts)
}

// qualifying returns the messages of a portion that still qualify and are in the trash as they are.
func qualifying(ctx context.Context, t *change.Turn, p portion) (texts []text, err error) {
	columns := append(forgottenColumns(t.Schema()), "metadata")
	differ := make([]string, 0, len(columns))
	for _, c := range columns {
		differ = append(differ, "p."+c+" IS NOT q."+c)
	}
	same := map[int64]bool{}
	err = t.EachRow(ctx, strings.Replace(sameInTrashSQL, "%", strings.Join(differ, " OR "), 1), []any{list(p.ids)}, func(scan data.RowScanner) error {
		var id int64
		err := scan(&id)
		same[id] = true
		return err
	})
	if err != nil {
		return nil, err
	}
	err = t.EachRow(ctx, listedTextsSQL, p.rule.args(p.ids), func(scan data.RowScanner) error {
		m, err := scanText(scan)
		if same[m.message] {
			texts = append(texts, m)
		}
		return err
	})
	return texts, err
}

// forgetText forgets the text of one message.
func forgetText(ctx context.Context, t *change.Turn, m text) error {
	stub, s := m.stub(), t.Schema()
	if _, err := t.Exec(ctx, "UPDATE messages SET content = ? WHERE message_id = ?", stub, m.message); err != nil {
		return err
	}
	if s.Searchable(data.MessageIndex) {
		if _, err := t.Exec(ctx, "DELETE FROM messages_fts WHERE rowid = ?", m.message); err != nil {
			return err
		}
	}
	type part struct {
		id, metadata any
		first        bool
	}
	var parts []part
	const query = "SELECT part_id, ordinal = 0, metadata FROM message_parts WHERE message_id = ? ORDER BY ordinal"
	err := t.EachRow(ctx, query, []any{m.message}, func(scan data.RowScanner) error {
		var p part
		err := scan(&p.id, &p.first, &p.metadata)
		parts = append(parts, p)
		return err
	})
	if err != nil {
		return err
	}
	for _, p := range parts {
		set, args := []string{"metadata = ?"}, []any{reducedMetadata(p.metadata)}
		for _, c := range forgottenColumns(s) {
			var v any
			if c == "text_content" && p.first {
				v = stub
			}
			set, args = append(set, c+" = ?"), append(args, v)
		}
		if _, err := t.Exec(ctx, "UPDATE message_parts SET "+strings.Join(set, ", ")+" WHERE part_id IS ?", append(args, p.id)...); err != nil {
			return err
		}
	}
	return nil
}
