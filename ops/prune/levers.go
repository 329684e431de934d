package prune

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/space"
)

// LeverRequest says what levers are about.
type LeverRequest struct {
	StateFolder string  // That of the host, with its indexes of sessions; empty is unknown.
	FilesFolder string  // Where large files lie.
	Of          []int64 // The conversations; none are all, and then files and records too.
}

// Levers forecasts what each verb would give back of a file, were it applied to everything that
// qualifies. It calls measured once, as late as it can: the file may be measured at the same time.
// Files that can't be pruned, homes and replicas have no levers.
func Levers(ctx context.Context, db *data.DB, measured func() (*space.Measurement, error), r LeverRequest, each func(space.Lever)) error {
	if _, server := db.Replica(); server {
		return nil
	}
	if k := db.Kind(); k.Relative || k.Generation == data.GenerationOne && k.Note != "" {
		return nil
	}
	start := pruning{db: db, facts: map[int64]removal.Facts{}, live: hostactivity.New(db.Now(), r.StateFolder), size: &space.Measurement{}, outputsOnly: map[int64]bool{}}
	all, err := start.read(ctx) // Once: the facts and the host's indexes are the same for each verb.
	if err != nil {
		return err
	}
	qualified := make([]pruning, len(Verbs))
	for i, verb := range Verbs {
		p := &qualified[i]
		*p = start
		p.op = &Op{Verb: verb, Payload: DefaultPayload, StateFolder: r.StateFolder, Selector: selector.Selector{Conversations: r.Of}}
		if verb == Conversations { // What leaves the file is what was measured.
			if start.size, err = measured(); err != nil {
				return err
			}
			p.size = start.size
		}
		err := p.qualifyForLever(ctx, slices.Clone(all))
		var unknown *removal.TableError
		if errors.As(err, &unknown) { // Conversations can't be removed, and so give nothing back.
			p.op = nil
		} else if err != nil {
			return err
		}
	}
	for i := range qualified {
		if p := &qualified[i]; p.op != nil {
			p.size = start.size
			each(p.lever())
		}
	}
	if len(r.Of) > 0 {
		return nil
	}
	return upkeepLevers(ctx, db, r.FilesFolder, each)
}

// upkeepLevers forecasts the verbs that aren't about conversations: files that no row names, and
// all records of this program.
func upkeepLevers(ctx context.Context, db *data.DB, folder string, each func(space.Lever)) error {
	files := space.Lever{Verb: "prune files", Beside: true}
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		orphans, _, err := removal.OrphanFiles(ctx, db, folder)
		if err != nil {
			return err
		}
		for _, f := range orphans {
			files.Rows, files.Bytes = files.Rows+1, files.Bytes+f.Bytes
		}
	}
	each(files)
	if db.Kind().Generation == data.GenerationOne {
		batches := space.Lever{Verb: space.PruneBatches}
		old, err := removal.OldBatches(ctx, db, batchesBefore(db, time.Time{}))
		if err != nil {
			return err
		}
		for _, b := range old {
			batches.Rows, batches.Bytes = batches.Rows+1+b.Nodes, batches.Bytes+b.Bytes
		}
		each(batches)
	}
	records, bytes, err := removal.OldRecords(ctx, db, db.Now())
	each(space.Lever{Verb: "prune history", Rows: int64(len(records)), Bytes: bytes})
	return err
}

// qualifyForLever takes what qualifies of all conversations, or of those that are selected.
func (p *pruning) qualifyForLever(ctx context.Context, all []selector.Conversation) error {
	why := map[int64]string{}
	if !p.op.Selector.IsEmpty() {
		all, why = p.op.Selector.Select(all, true)
	}
	return p.qualify(ctx, all, why, func(int, int, string) {})
}

// lever forecasts what the verb gives back.
func (p *pruning) lever() space.Lever {
	l := space.Lever{Verb: "prune " + string(p.op.Verb)}
	for _, c := range p.chosen {
		for _, n := range c.rows {
			l.Rows += n
		}
		l.Conversations = append(l.Conversations, c.ID)
	}
	slices.Sort(l.Conversations)
	l.Refused = p.refusedByReason()
	l.Explained = len(l.Refused) > 0 && (p.db.Kind().Generation == data.GenerationOne || len(p.op.Selector.Conversations) > 0)
	l.Bytes = max(0, space.Predict(p.size, nil).After-space.Predict(p.size, removalOf(p.chosen)).After)
	return l
}

// refusedByReason groups refusals by their reasons, but for the names of sessions in these; the one of most
// conversations comes first.
func (p *pruning) refusedByReason() (out []space.LeverRefusal) {
	for _, r := range p.refused {
		f, reason := p.facts[r.Conversation], r.Reason
		for _, name := range []string{f.SessionID, f.SessionKey} {
			if name != "" {
				reason = strings.ReplaceAll(reason, " "+name, "")
			}
		}
		i := slices.IndexFunc(out, func(l space.LeverRefusal) bool { return l.Reason == reason })
		if i < 0 {
			i = len(out)
			out = append(out, space.LeverRefusal{Reason: reason})
		}
		out[i].Conversations = append(out[i].Conversations, r.Conversation)
	}
	slices.SortStableFunc(out, func(a, b space.LeverRefusal) int { return len(b.Conversations) - len(a.Conversations) })
	for _, l := range out {
		slices.Sort(l.Conversations)
	}
	return out
}
