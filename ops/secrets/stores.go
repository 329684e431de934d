package secrets

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/columntexts"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/data/sessiondb"
	"lcm-tui/data/sessiontexts"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/engine/identity"
	"lcm-tui/engine/ingest"
	"lcm-tui/engine/redact"
)

// store is a database with the sessions of an agent, in which secrets are replaced too.
type store struct {
	path     string
	sessions map[string]bool
	changes  bool // It has a secret that is replaced.
}

// hostSessions is what is done, on files of 1.0, about the sessions that a host keeps in its own databases.
type hostSessions struct {
	op        *Op
	stores    []*store
	sessionOf map[int64]string      // By conversation.
	newHashes []columntexts.NewHash // Of messages that an earlier run changed.
	known     *hostactivity.SessionStores
	check     *hostactivity.Check
	goesOn    map[string]bool // Sessions with an active conversation.
	rows      []row           // That have a secret, as they were planned.
	kept      map[int64]bool  // Messages that keep their texts.
}

// isStore reports whether a path is that of a database with sessions, and of no session file.
func isStore(path string) bool { return filepath.Base(path) == sessiondb.FileName }

// sweeps reports whether a session lies in a database of sessions in which the secrets are replaced as well.
func (h *hostSessions) sweeps(session string) bool {
	for _, s := range h.stores {
		if session != "" && s.sessions[session] {
			return true
		}
	}
	return false
}

// find reads the databases of sessions in which the chosen secrets are replaced. It refuses one that has them and
// whose texts can't be replaced.
func (h *hostSessions) find(ctx context.Context, db *data.DB, known *redact.Known) error {
	h.stores, h.sessionOf, h.newHashes = nil, map[int64]string{}, nil
	if !isOne(db) {
		return nil
	}
	// Once, since they can't be read while the values are replaced in them.
	h.known = hostactivity.ReadSessionStores(ctx, h.op.StateFolder, h.op.AgentFolders...)
	h.check = hostactivity.New(db.Now(), h.op.StateFolder)
	all, err := lcm.Conversations(ctx, db)
	if err != nil && !errors.Is(err, data.ErrDamaged) {
		return err
	}
	convs := map[string][]int64{}
	for _, c := range all {
		h.sessionOf[c.ID] = c.SessionID
		convs[c.SessionID] = append(convs[c.SessionID], c.ID)
	}
	for _, path := range h.op.Transcripts {
		if !isStore(path) {
			continue
		}
		s := &store{path: path, sessions: map[string]bool{}}
		err := sessiontexts.Visit(ctx, path, func(_ sessiontexts.Place, text string) error {
			s.changes = s.changes || len(known.Find(text)) > 0
			return nil
		})
		if err == nil && s.changes {
			err = sessiontexts.Check(ctx, path)
		}
		if err != nil {
			return err
		}
		ids, err := sessiontexts.Sessions(ctx, path)
		if err != nil {
			return err
		}
		for _, id := range ids {
			s.sessions[id] = true
		}
		h.stores = append(h.stores, s)
	}
	return h.compareStores(ctx, db, known, convs)
}

// compareStores gives secrets the placeholders that stored messages have for them since an earlier run, and then finds
// the hashes of the entries whose texts change: both sides must have the same texts, and the host know them by these.
func (h *hostSessions) compareStores(ctx context.Context, db *data.DB, known *redact.Known, convs map[string][]int64) error {
	rules := ingest.RulesOf(db.Schema(), estimator(db), 1<<40)
	err := h.eachChanged(ctx, rules, convs, func(conv int64, before ingest.Stored, _ transcript.Entry) error {
		found := known.Find(before.Content)
		if len(found) == 0 {
			return nil
		}
		texts, err := columntexts.TextsWithHash(ctx, db, conv, before.Identity)
		for _, text := range texts {
			h.op.rename(redact.PlaceholdersIn(before.Content, found, text))
		}
		return err
	})
	if err != nil {
		return err
	}
	return h.eachChanged(ctx, rules, convs, func(conv int64, before ingest.Stored, e transcript.Entry) error {
		if after, _ := rules.Store(jstext.Value(h.op.redact(known, string(e.Message))), e.ID); after.Identity != before.Identity {
			h.newHashes = append(h.newHashes, columntexts.NewHash{Conversation: conv, Content: after.Content, Before: before.Identity, After: after.Identity})
		}
		return nil
	})
}

// eachChanged calls fn with the messages of the sessions whose texts change, once for each of their conversations.
func (h *hostSessions) eachChanged(ctx context.Context, rules ingest.Rules, convs map[string][]int64, fn func(conv int64, before ingest.Stored, e transcript.Entry) error) error {
	for _, s := range h.stores {
		for id := range s.sessions {
			if !s.changes || len(convs[id]) == 0 {
				continue
			}
			err := eachStored(ctx, s.path, id, rules, func(before ingest.Stored, e transcript.Entry) error {
				for _, conv := range convs[id] {
					if err := fn(conv, before, e); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// eachStored calls fn with the messages of a session, as the host stores them. A session that can't be read has none.
func eachStored(ctx context.Context, path, session string, rules ingest.Rules, fn func(ingest.Stored, transcript.Entry) error) error {
	file, err := transcript.Open(ctx, transcript.Address(path, session))
	if err != nil {
		return ctx.Err()
	}
	for e, err := range file.Entries(ctx) {
		if err != nil {
			continue // An event that the host skips as well.
		}
		if m, skip := rules.Store(e.Message, e.ID); skip == "" {
			if err := fn(m, e); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// replace replaces the values in the databases of sessions, and keeps those from being opened until done is
// called: a host that starts in between would find the rows other than its sessions. It comes before the
// rows, so that no start brings a value back.
func (h *hostSessions) replace(ctx context.Context, known *redact.Known) (done func() error, err error) {
	var open []*sessiontexts.Store
	done = func() (err error) {
		for _, s := range open {
			err = errors.Join(err, s.Close())
		}
		open = nil
		return err
	}
	for _, s := range h.stores {
		if !s.changes {
			continue
		}
		x, err := sessiontexts.Open(ctx, s.path)
		if err != nil {
			return done, err
		}
		open = append(open, x)
	}
	for i, s := range h.changing() { // Only once all of them are free.
		out, err := open[i].Replace(ctx, func(text string) string { return h.op.redact(known, text) })
		h.op.Result.Cells += out.Texts
		if out.Texts > 0 {
			h.op.Result.Files = append(append(h.op.Result.Files, s.path), out.Files...)
		}
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// changing returns the databases of sessions that have a secret.
func (h *hostSessions) changing() (out []*store) {
	for _, s := range h.stores {
		if s.changes {
			out = append(out, s)
		}
	}
	return out
}

// rehash returns the identity hash of a message whose text was changed, on a file of 1.0: the new one where the
// session has the same text then, or the host doesn't have the session any more.
func (h *hostSessions) rehash(m columntexts.Message) string {
	session := h.sessionOf[m.Conversation]
	over := m.Archived && h.known.Unknown("") == "" && len(h.known.Knows(session)) == 0 && !h.goesOn[session]
	if !h.op.ForgetHashes && !h.sweeps(session) && !over || !identity.IsValid(m.Role, m.Before, m.Hash) {
		return m.Hash
	}
	return identity.Hash(m.Role, m.After)
}

// findGoingOn finds the sessions of active conversations.
func (h *hostSessions) findGoingOn(ctx context.Context, db *data.DB) error {
	h.goesOn = map[string]bool{}
	if !isOne(db) {
		return nil
	}
	all, err := lcm.Conversations(ctx, db)
	if err != nil && !errors.Is(err, data.ErrDamaged) {
		return err
	}
	for _, c := range all {
		h.goesOn[c.SessionID] = h.goesOn[c.SessionID] || c.Active
	}
	return nil
}

// rehashEntries gives messages that an earlier run changed the hashes by which a host knows the same texts of its sessions.
func (h *hostSessions) rehashEntries(ctx context.Context, t *change.Turn) error {
	if !t.Schema().Has("messages", "identity_hash") {
		return nil
	}
	for _, h := range h.newHashes {
		const query = "UPDATE messages SET identity_hash = ? WHERE conversation_id = ? AND identity_hash = ? AND content = ?"
		if _, err := t.Exec(ctx, query, h.After, h.Conversation, h.Before, h.Content); err != nil {
			return err
		}
	}
	return nil
}

// scanStore scans a database of sessions.
func (r Request) scanStore(ctx context.Context, path string) (out []place, err error) {
	err = sessiontexts.Visit(ctx, path, func(p sessiontexts.Place, text string) error {
		if found := r.Scanner.Scan(text); len(found) > 0 {
			out = append(out, place{file: path, key: p.String(), found: found})
		}
		return ctx.Err()
	})
	return out, err
}

// proveStore looks for what is left in a database of sessions: in its texts, and in all bytes of its file.
func proveStore(ctx context.Context, path string, r *redact.Remains, add func(int, string)) error {
	found := map[int]bool{}
	err := sessiontexts.Visit(ctx, path, func(p sessiontexts.Place, text string) error {
		for _, i := range r.In(text) {
			found[i] = true
			add(i, fmt.Sprintf("%s of %s", p, path))
		}
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	return eachPart(ctx, path, func(text string, last bool) (int, error) {
		for _, i := range r.In(text) {
			if !found[i] {
				add(i, "other pages of "+path)
			}
		}
		return cutOf(text, last), nil
	})
}
