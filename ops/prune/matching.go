package prune

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/columntexts"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pieces"
	"lcm-tui/engine/search"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/proof"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/trash"
)

// Matching chooses the messages that a search finds.
type Matching struct {
	Query search.Query
	// Options are those with which it was read, for plans in files.
	Options search.ParseOptions
	// Receipt is the file that the receipt is written to; empty writes none.
	Receipt string
	// Version is that of this program, for the receipt.
	Version string
	// Beside are the files beside the database that may have the same texts, of which FilesFolder is searched too.
	Beside proof.Beside
}

// matched is what a query found, while the plan is made.
type matched struct {
	*Matching
	found   map[int64][]int64 // Messages by conversation, in the order of their ids.
	plan    ops.Matching
	shared  map[int64]bool
	refused int // How many conversations were refused before.
	notes   []string
	digests map[int64]string // Of the contents that are to be forgotten.
	bytes   map[int64]int64  // Of all texts that are to be forgotten.
	parts   map[int64]string // What was found in a part of a message that has no text.
	pieces  *pieces.Set
}

// newMatched searches.
func newMatched(ctx context.Context, db *data.DB, m *Matching, report data.Report) (*matched, error) {
	hits, notes, err := proof.Ask(ctx, db, m.Query, m.Beside.FilesFolder, report)
	if err != nil {
		return nil, err
	}
	out := &matched{Matching: m, found: map[int64][]int64{}, notes: notes, digests: map[int64]string{}, bytes: map[int64]int64{}, parts: map[int64]string{}}
	out.plan = ops.Matching{Query: m.Query.Text, Messages: []ops.MatchedMessage{}, Kept: []proof.Kept{}, Holding: []proof.Place{}, Labels: map[int64]string{}}
	for _, h := range hits {
		if h.Kind == search.MessageKind || h.Kind == search.PartKind {
			out.found[h.Conversation] = append(out.found[h.Conversation], h.Message)
			if h.Kind == search.PartKind {
				out.parts[h.Message] = h.Snippet
			}
		}
	}
	for conv, ids := range out.found {
		slices.Sort(ids)
		out.found[conv] = slices.Compact(ids)
	}
	out.shared, err = removal.SharedMessages(ctx, db)
	return out, err
}

// selectFrom returns the conversations that a selector selects and in which the query found something.
func (m *matched) selectFrom(s selector.Selector, all []selector.Conversation) (chosen []selector.Conversation, why map[int64]string) {
	if s.IsEmpty() {
		s.Conversations = slices.Sorted(maps.Keys(m.found))
	}
	chosen, why = s.Select(all, true)
	chosen = slices.DeleteFunc(chosen, func(c selector.Conversation) bool { return len(m.found[c.ID]) == 0 })
	for id := range why {
		why[id] = plural.Count(len(m.found[id]), "message", "messages") + " found"
	}
	return chosen, why
}

// account says of the messages found in a conversation which are forgotten, and why the others stay.
func (p *pruning) account(ctx context.Context, c selector.Conversation) error {
	m := p.matched
	m.plan.Labels[c.ID] = lcm.Conversation{ID: c.ID, SessionKey: c.Key}.Label()
	forgotten := map[int64]bool{}
	if n := len(p.chosen); n > 0 && p.chosen[n-1].ID == c.ID {
		ids, _, err := removal.Texts(ctx, p.db, p.chosen[n-1].rule, m.shared)
		if err != nil {
			return err
		}
		for _, id := range ids {
			forgotten[id] = true
		}
	}
	refusal := ""
	if n := len(p.refused); n > m.refused {
		refusal, m.refused = p.refused[n-1].Reason, n
	}
	marked, err := summarize.FindMarkers(ctx, p.db, c.ID)
	if err != nil {
		return err
	}
	all, err := removal.ReadKept(ctx, p.db, c.ID, m.found[c.ID], slices.Sorted(maps.Keys(marked)), p.op.Selector.OlderThan, m.shared)
	if err != nil {
		return err
	}
	over := !c.Active && p.live.Why(ctx, hostFacts(p.facts[c.ID])) == ""
	at := map[string]int{}
	for _, k := range all {
		if forgotten[k.Message] {
			m.plan.Messages = append(m.plan.Messages, ops.MatchedMessage{
				Conversation: k.Conversation, ID: k.Message, Seq: k.Seq, Role: k.Role, At: k.At, Start: firstWords(cmp.Or(strings.TrimSpace(k.Start), m.parts[k.Message])),
			})
			continue
		}
		kept := whyKept(k, over, refusal, p.op.Uncovered)
		i, known := at[kept.Why]
		if !known {
			i = len(m.plan.Kept)
			at[kept.Why] = i
			m.plan.Kept = append(m.plan.Kept, kept)
		}
		m.plan.Kept[i].Messages = append(m.plan.Kept[i].Messages, k.Message)
	}
	return nil
}

// whyKept says why the text of a message stays, and what to do so that it may go.
func whyKept(k removal.Kept, over bool, refusal string, uncovered bool) proof.Kept {
	kept := func(why, next string) proof.Kept {
		return proof.Kept{Conversation: k.Conversation, Why: why, Next: next, OnScreen: next}
	}
	command := func(why, next, onScreen string) proof.Kept {
		return proof.Kept{Conversation: k.Conversation, Why: why, Next: next, OnScreen: onScreen}
	}
	compact := fmt.Sprintf("lcm-tui compact %d --apply", k.Conversation)
	const later = "a day after its session is over and archived the conversation is no longer one that may go on"
	switch {
	case k.Forgotten:
		return kept("its text is forgotten already", "")
	case k.Recent:
		return kept("it is newer than --older-than says", "give a later time, or none")
	case strings.HasPrefix(refusal, mayGoOn):
		return kept(refusal, later)
	case !over && k.Newer < newestKept:
		return kept(fmt.Sprintf("it is one of the newest %d messages of a conversation that may go on: a host compares them with what it is given", newestKept), later)
	case k.InContext:
		return command("the model still sees it: it is in the context", compact+" puts a summary in its place", "compact the conversation: a summary comes in its place")
	case k.Elsewhere:
		return kept("it is in the context of another conversation", "dissolve or compact it there")
	case k.BelowMarked:
		return command("a summary above it is damaged, and is repaired from it", fmt.Sprintf("lcm-tui repair %d shows how", k.Conversation), "repair the conversation first")
	case !uncovered && !k.CoveredByAny:
		return command("no summary is above it, so that nothing would tell of it", compact+" makes one, or add --uncovered", "compact the conversation, which makes one; w forgets it without one")
	case !uncovered && !over && !k.Covered:
		return command("no summary in the context is above it", "add --uncovered", "w forgets it as it is")
	case refusal != "":
		return kept(refusal, "")
	}
	return kept("the host needs it to know the conversation again", "")
}

// firstWords returns the start of a text in one line.
func firstWords(text string) string {
	const most = 60
	line := strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if r := []rune(line); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return line
}

// ids returns the messages that are forgotten.
func (m *matched) ids() (ids []int64) {
	for _, f := range m.plan.Messages {
		ids = append(ids, f.ID)
	}
	return ids
}

// addTo adds to a plan what was found, and what else has the same words.
func (m *matched) addTo(ctx context.Context, db *data.DB, p *ops.Plan, report data.Report) error {
	slices.SortStableFunc(m.plan.Messages, func(a, b ops.MatchedMessage) int {
		return cmp.Or(cmp.Compare(a.Conversation, b.Conversation), cmp.Compare(a.Seq, b.Seq))
	})
	own := map[int64]bool{}
	for _, list := range m.found { // What is kept is listed with its reason.
		for _, id := range list {
			own[id] = true
		}
	}
	if err := m.readTexts(ctx, db); err != nil {
		return err
	}
	for i := range m.plan.Messages {
		f := &m.plan.Messages[i]
		f.SHA256, f.Bytes = m.digests[f.ID], m.bytes[f.ID]
	}
	look := proof.Look{Pieces: m.pieces, Query: &m.Query, FilesFolder: m.Beside.FilesFolder, Own: own, Rows: true, DropCommon: true}
	c, err := look.Check(ctx, db, report)
	if err != nil {
		return err
	}
	m.plan.Holding, m.plan.More = c.Left, c.More
	p.Set.Matching = &m.plan
	for _, n := range m.notes {
		p.Note(n)
	}
	if n := c.Count(proof.SummaryPlace); n > 0 && len(m.plan.Messages) > 0 {
		p.Warn(plural.Count(n, "summary has", "summaries have") + " the same words and " + plural.Noun(n, "stays", "stay") + " as " + plural.Noun(n, "it is", "they are") + ": models go on reading them")
	}
	return nil
}

// readTexts reads the texts that are to be forgotten.
func (m *matched) readTexts(ctx context.Context, db *data.DB) error {
	var texts []string
	known := map[string]bool{}
	err := removal.EachLost(ctx, db, m.ids(), func(l removal.Lost) error {
		m.digests[l.Message] = proof.Digest(l.Content)
		for _, text := range l.Texts {
			m.bytes[l.Message] += int64(len(text))
			if !known[text] {
				known[text] = true
				texts = append(texts, text)
			}
		}
		return nil
	})
	m.pieces = pieces.New(texts)
	return err
}

// checkSame fails where a text isn't what was planned: the query may no longer find it.
func (m *matched) checkSame(ctx context.Context, db *data.DB) error {
	return removal.EachLost(ctx, db, m.ids(), func(l removal.Lost) error {
		if proof.Digest(l.Content) != m.digests[l.Message] {
			return &data.StaleError{What: fmt.Sprintf("message %d", l.Message), Why: "has another text now"}
		}
		return nil
	})
}

// merging merges the search index of messages: until then it has words of deleted rows.
func merging(db *data.DB, merged *bool) func(context.Context, *change.Turn) (bool, error) {
	begun := false
	return func(ctx context.Context, t *change.Turn) (bool, error) {
		if !db.Schema().Searchable(data.MessageIndex) {
			return true, nil
		}
		done, err := columntexts.Optimize(ctx, t, data.MessageIndex, !begun)
		begun, *merged = true, done
		return done, err
	}
}

// forget forgets what was found, and proves it.
func (w *writer) forget(ctx context.Context, db *data.DB, f removal.Forgetting, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	m := w.plan.matched
	if err := m.checkSame(ctx, db); err != nil {
		return change.Outcome{}, err
	}
	merged := false
	f.Erase, f.Then = true, merging(db, &merged)
	out, err := removal.ForgetTexts(ctx, db, f, detail, report)
	if err != nil {
		return out, err
	}
	receipt, err := m.prove(ctx, db, out.Record, merged, report)
	if receipt != nil {
		p.Set.Matching.Receipt = receipt
	}
	if err == nil && m.Receipt != "" {
		if err = receipt.Write(m.Receipt); err == nil {
			p.Set.Matching.ReceiptPath = m.Receipt
		}
	}
	if err != nil {
		return out, hint.Wrap(fmt.Errorf("the receipt of record %d: %w", out.Record, err), fmt.Sprintf("the texts are forgotten; lcm-tui prune prove %d --receipt FILE makes the receipt", out.Record))
	}
	return out, nil
}

// prove makes the receipt of what was forgotten.
func (m *matched) prove(ctx context.Context, db *data.DB, record int64, merged bool, report data.Report) (*proof.Receipt, error) {
	return makeReceipt(ctx, db, m.Matching, proof.Forgotten{Record: record, Kept: m.plan.Kept, IndexMerged: merged, Messages: m.ids()}, report)
}

// makeReceipt makes a receipt from the trash of its record, and looks for what is left.
func makeReceipt(ctx context.Context, db *data.DB, m *Matching, f proof.Forgotten, report data.Report) (*proof.Receipt, error) {
	r, _, err := change.RecordChanges(ctx, db, f.Record)
	if err != nil {
		return nil, err
	}
	restore, ok, err := trash.RestoreOf(ctx, db, r)
	if err != nil {
		return nil, err
	}
	if !ok || restore.File.RemovesConversations() {
		return nil, hint.New(fmt.Sprintf("record %d forgot no texts", f.Record), "lcm-tui history lists the records; those of prune text have a receipt")
	}
	f.Trash, f.Query = restore.File.Path, m.Query.Text
	receipt, set, err := proof.Make(ctx, db, f)
	if err != nil {
		return nil, err
	}
	receipt.MadeBy = m.Version
	look := proof.Look{Pieces: set, FilesFolder: m.Beside.FilesFolder, Beside: m.Beside, DropCommon: true}
	if !m.Query.IsEmpty() {
		look.Query = &m.Query
	}
	return receipt, receipt.AddCheck(ctx, db, look, report)
}

// ReceiptOf makes the receipt of a record of prune text, from its file of the trash, and looks for what is left.
func ReceiptOf(ctx context.Context, db *data.DB, record int64, m *Matching, report data.Report) (*proof.Receipt, error) {
	return makeReceipt(ctx, db, m, proof.Forgotten{Record: record}, report)
}
