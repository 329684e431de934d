package removal

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/ops/trash"
)

// Moving puts payloads of messages into large files, and references in their places.
type Moving struct {
	Forgetting
	Refer Refer
}

// Refer says how a message is with references in the places of its payloads. It returns false for
// one that stays.
type Refer func(m *lcm.RawMessage, conversation int64) (Reference, bool)

// Reference is a message whose payloads lie in files.
type Reference struct {
	Content string
	Parts   []lcm.RawPart
	Files   []ReferredFile
}

// ReferredFile is a file with a payload, and what its row says of it.
type ReferredFile struct {
	data.NewFile
	Name, MIME, Exploration string
	Lines                   int // 0 of an image.
}

// replacement says of a message what takes the place of its text.
func (r Reference) replacement(message int64) trash.Replacement {
	out := trash.Replacement{Message: message, Digest: trash.ContentDigest(r.Content)}
	for _, f := range r.Files {
		out.Files, out.Paths = append(out.Files, f.ID), append(out.Paths, f.To)
	}
	return out
}

// MovePayloads writes the rows of messages and their parts to the trash, and then moves their
// payloads into large files, in short transactions under one record. A file is whole on the disk
// before the row that names it is written. A message that has changed since the trash was written
// stays. It fails as ForgetTexts does, and with a *data.NewFileError.
func MovePayloads(ctx context.Context, db *data.DB, m Moving, detail map[string]any, report data.Report) (change.Outcome, error) {
	w := &mover{db: db, refer: m.Refer, forgetter: newForgetter(m.Guards)}
	shared, err := SharedMessages(ctx, db)
	if err != nil {
		return change.Outcome{}, err
	}
	c := trash.Contents{Verb: m.Verb, Selector: m.Selector}
	for _, r := range m.Rules {
		p := portion{rule: r}
		err := EachReference(ctx, db, r, shared, m.Refer, func(id int64, _ *lcm.RawMessage, ref Reference) error {
			c.Messages = append(c.Messages, id)
			c.Replacements = append(c.Replacements, ref.replacement(id))
			if p.ids = append(p.ids, id); len(p.ids) == referencesPerStep {
				w.waiting = append(w.waiting, p)
				p.ids = nil
			}
			return nil
		})
		if err != nil {
			return change.Outcome{}, err
		}
		if len(p.ids) > 0 {
			w.waiting = append(w.waiting, p)
		}
	}
	if w.total = int64(len(c.Messages)); w.total == 0 {
		return change.Outcome{}, errNothingLeft()
	}
	out, err := trash.Keep(ctx, db, c, detail, report, func(receipt change.Receipt, text json.RawMessage) (change.Outcome, error) {
		return change.WriteSet(ctx, db, change.SetWrite{
			Op: "prune", Title: m.Title, Detail: text, Attach: map[string]string{trashSchema: receipt.Path}, Prepare: w.prepare, Write: w.write, Report: report,
		})
	})
	w.warn(db)
	w.removeUnnamed(context.WithoutCancel(ctx))
	return out, err
}

// referencesPerStep is how many messages are read, and their files written, at a time.
const referencesPerStep = 20

// EachReference calls fn for the messages of a rule whose payloads can be moved, with what they are
// like then. Messages that another conversation's context has stay.
func EachReference(ctx context.Context, db *data.DB, r TextRule, shared map[int64]bool, refer Refer, fn func(id int64, m *lcm.RawMessage, ref Reference) error) error {
	var all []text
	err := db.EachRow(ctx, "read messages", allTextsSQL, r.args(nil), func(scan data.RowScanner) error {
		m, err := scanText(scan)
		if !shared[m.message] {
			all = append(all, text{message: m.message, role: m.role})
		}
		return err
	})
	for _, t := range all {
		if err != nil {
			return err
		}
		var m *lcm.RawMessage
		if m, err = lcm.ReadRawMessage(ctx, db, t.message); err != nil {
			return err
		}
		m.Role = t.role
		if ref, ok := refer(m, r.Conversation); ok {
			err = fn(t.message, m, ref)
		}
	}
	return err
}

// mover writes the turns.
type mover struct {
	forgetter
	db    *data.DB
	refer Refer
	ready map[int64]Reference // By message, for the next turn.
	steps int                 // How many of the portions that wait are ready.
	made  []data.NewFile
}

// prepare makes the files of the next turn.
func (w *mover) prepare(ctx context.Context) error {
	w.ready, w.steps = map[int64]Reference{}, 0
	const most = 32 << 20 // Bytes of payloads in memory.
	var bytes int64
	for _, p := range w.waiting {
		if w.steps++; len(w.ready) >= change.MaxTurnRows || bytes >= most {
			w.steps--
			return nil
		}
		for _, id := range p.ids {
			n, err := w.prepareMessage(ctx, id, p.rule.Conversation)
			if err != nil {
				return err
			}
			bytes += n
		}
	}
	return nil
}

// prepareMessage makes the files of a message, and returns their bytes.
func (w *mover) prepareMessage(ctx context.Context, id, conversation int64) (bytes int64, err error) {
	m, err := lcm.ReadRawMessage(ctx, w.db, id)
	if errors.Is(err, data.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	ref, ok, err := w.reference(ctx, m, conversation)
	if err != nil || !ok {
		return 0, err
	}
	files := make([]data.NewFile, 0, len(ref.Files))
	for i, f := range ref.Files {
		files = append(files, f.NewFile)
		bytes += f.Bytes
		ref.Files[i].Body = ""
	}
	made, err := data.WriteFiles(ctx, files)
	if err != nil {
		return 0, err
	}
	for _, f := range made {
		f.Body = ""
		w.made = append(w.made, f)
	}
	w.ready[id] = ref
	return bytes, nil
}

// reference returns how a message is to be now; false for one that stays. Its role is read again with its
// text.
func (w *mover) reference(ctx context.Context, m *lcm.RawMessage, conversation int64) (ref Reference, ok bool, err error) {
	err = w.db.EachRow(ctx, "read messages", "SELECT role FROM messages WHERE message_id = ?", []any{m.ID}, func(scan data.RowScanner) error {
		if err := scan((*data.Text)(&m.Role)); err != nil {
			return err
		}
		ref, ok = w.refer(m, conversation)
		return nil
	})
	return ref, ok, err
}

func (w *mover) write(ctx context.Context, t *change.Turn) (bool, error) {
	return w.writePortions(ctx, t, w.steps, func(ctx context.Context, t *change.Turn, p portion) (int64, error) {
		texts, err := qualifying(ctx, t, p)
		var moved []text
		for _, m := range texts {
			ref, isReady := w.ready[m.message]
			if err != nil || !isReady {
				continue
			}
			err = moveText(ctx, t, m.message, p.rule.Conversation, ref)
			moved = append(moved, m)
		}
		if err == nil {
			err = takeEntries(ctx, t, moved)
		}
		return int64(len(moved)), err
	})
}

// moveText writes a message and its parts with references, and the rows of the files.
func moveText(ctx context.Context, t *change.Turn, message, conversation int64, ref Reference) error {
	if _, err := t.Exec(ctx, "UPDATE messages SET content = ? WHERE message_id = ?", ref.Content, message); err != nil {
		return err
	}
	for _, p := range ref.Parts {
		const query = `UPDATE message_parts SET part_type = ?, text_content = ?, tool_call_id = ?, tool_name = ?, tool_input = ?, tool_output = ?, metadata = ?
			WHERE message_id = ? AND ordinal = ?`
		_, err := t.Exec(ctx, query, p.Type, cell(p.Text), cell(p.ToolCallID), cell(p.ToolName), cell(p.ToolInput), cell(p.ToolOutput), cell(p.Metadata), message, p.Ordinal)
		if err != nil {
			return err
		}
	}
	if t.Schema().Searchable(data.MessageIndex) {
		if _, err := t.Exec(ctx, "DELETE FROM "+data.MessageIndex+" WHERE rowid = ?", message); err != nil {
			return err
		}
		if indexed := data.IndexedText(data.MessageIndex, ref.Content); indexed != nil {
			if _, err := t.Exec(ctx, "INSERT INTO "+data.MessageIndex+" (rowid, content) VALUES (?, ?)", message, indexed); err != nil {
				return err
			}
		}
	}
	for _, f := range ref.Files {
		if err := insertFile(ctx, t, conversation, f); err != nil {
			return err
		}
	}
	return nil
}

// insertFile writes the row of a file.
func insertFile(ctx context.Context, t *change.Turn, conversation int64, f ReferredFile) error {
	orNull := func(s string) any {
		if s == "" {
			return nil
		}
		return s
	}
	columns := []string{"file_id", "conversation_id", "file_name", "mime_type", "byte_size", "storage_uri", "exploration_summary", "created_at"}
	args := []any{f.ID, conversation, orNull(f.Name), orNull(f.MIME), f.Bytes, f.To, orNull(f.Exploration), data.FormatTime(t.Now())}
	if t.Schema().Has("large_files", "line_count") && f.Lines > 0 {
		columns, args = append(columns, "line_count"), append(args, f.Lines)
	}
	_, err := t.Exec(ctx, "INSERT OR IGNORE INTO large_files ("+strings.Join(columns, ", ")+") VALUES (?"+strings.Repeat(", ?", len(args)-1)+")", args...)
	return err
}

// cell returns what is written of a stored text.
func cell(s data.Stored) any {
	if s.Null {
		return nil
	}
	return s.Text
}

// removeUnnamed removes files that were made for rows that weren't written.
func (w *mover) removeUnnamed(ctx context.Context) {
	rows, err := lcm.FileIDs(ctx, w.db)
	if err != nil {
		return // A prune of files finds what stays.
	}
	var unnamed []data.NewFile
	for _, f := range w.made {
		if _, named := rows[f.ID]; !named {
			unnamed = append(unnamed, f)
		}
	}
	data.RemoveFiles(unnamed)
}
