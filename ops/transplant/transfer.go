package transplant

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
)

// transfer is one transplant in the making.
type transfer struct {
	*Op
	from, to       *data.DB
	source, target data.Conversation
	graph          *lineage.Graph       // Of the source.
	context        []data.ContextItem   // Of the source.
	before         []data.ContextItem   // The target's context.
	own            []data.MessageHeader // The target's messages.
	ownSummaries   int                  // How many the target has.
	plan           ops.Plan

	tops  []*lineage.Node               // Those that get a place in the context.
	nodes []*lineage.Node               // All that are carried, sources first.
	under map[string][]data.MessageLink // What leaves were made of.
	lost  int                           // Their sources that don't exist.
	raw   []data.ContextItem            // Messages of the context that are carried.
	twins twins                         // What the target has already.
	there map[int64]int64               // Its messages in the place of those that aren't carried.

	messages  []data.Row           // The originals, in the order of their seqs.
	parts     map[int64][]data.Row // By the original message.
	summaries map[string]data.Row  // The originals.
	files     map[string]string    // New ids of large files that get one, by the old.

	ids       map[string]string // New ids of summaries.
	numbers   map[int64]int64   // New numbers of messages.
	seqs      map[int64]int64   // Their new seqs, by the old number.
	homeless  map[string]bool   // Columns that the target's file lacks.
	keyless   int               // Keys of messages that the target has already.
	estimator token.Estimator
}

// begin opens the source and reads what is needed of both conversations.
func (o *Op) begin(ctx context.Context, db *data.DB) (*transfer, error) {
	t := &transfer{
		Op: o, from: db, to: db, plan: ops.New(o.Name(), ""), estimator: token.Of(db.Kind().Level),
		ids: map[string]string{}, numbers: map[int64]int64{}, seqs: map[int64]int64{}, homeless: map[string]bool{},
		there: map[int64]int64{}, parts: map[int64][]data.Row{}, summaries: map[string]data.Row{}, files: map[string]string{},
	}
	t.plan.Force = o.Force
	if o.From != "" && !samePath(o.From, db.Path()) {
		from, err := data.Open(ctx, o.From)
		if err != nil {
			return nil, err
		}
		t.from = from
	}
	if err := t.load(ctx); err != nil {
		t.end()
		return nil, err
	}
	return t, nil
}

// end closes the source, if it is another file.
func (t *transfer) end() {
	if t.from != t.to {
		_ = t.from.Close() // It was only read.
	}
}

// samePath reports whether two paths lead to the same file. It opens neither.
func samePath(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

func (t *transfer) load(ctx context.Context) (err error) {
	if t.from == t.to && t.Source == t.Target {
		return t.refuse("source and target are the same conversation", "give the conversation to copy from first, then the one to copy into")
	}
	if t.source, err = t.from.Conversation(ctx, t.Source); err != nil {
		return err
	}
	if t.target, err = t.to.Conversation(ctx, t.Target); err != nil {
		return err
	}
	if err := t.checkTarget(ctx); err != nil {
		return err
	}
	if t.graph, err = lineage.Load(ctx, t.from, t.Source, previewBytes); err != nil {
		return err
	}
	if t.context, err = t.from.Context(ctx, t.Source); err != nil {
		return err
	}
	if t.before, err = t.to.Context(ctx, t.Target); err != nil {
		return err
	}
	if t.own, err = t.to.MessageHeaders(ctx, t.Target); err != nil {
		return err
	}
	return t.loadLinks(ctx)
}

// previewBytes is how much of a summary's text a list shows of it.
const previewBytes = 240

func (t *transfer) loadLinks(ctx context.Context) error {
	links, err := t.from.MessageLinks(ctx, t.Source)
	t.under = map[string][]data.MessageLink{}
	for _, l := range links {
		t.under[l.Summary] = append(t.under[l.Summary], l)
	}
	return err
}

// checkTarget refuses a target that no host reads any more.
func (t *transfer) checkTarget(ctx context.Context) error {
	if t.target.Active {
		return nil
	}
	all, err := t.to.Conversations(ctx)
	if err != nil {
		return err
	}
	successor := slices.IndexFunc(all, func(c data.Conversation) bool {
		return c.Active && c.SessionKey != "" && c.SessionKey == t.target.SessionKey && (t.from != t.to || c.ID != t.Source)
	})
	next := "choose an active one: lcm-tui conversations --active"
	if successor >= 0 {
		next = fmt.Sprintf("conversation %d goes on for the same session: lcm-tui transplant %d %d", all[successor].ID, t.Source, all[successor].ID)
	}
	return t.refuse(fmt.Sprintf("conversation %d is archived, so its host never reads it again", t.Target), next)
}

// folder is where the files of a database are kept, if nothing else is said.
func folder(given string, db *data.DB) string {
	if given == "" {
		given = filepath.Join(filepath.Dir(db.Path()), "lcm-files")
	}
	if whole, err := filepath.Abs(given); err == nil { // Stored paths are whole.
		return whole
	}
	return given
}
