package transplant

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
)

// transfer is one transplant while it is planned.
type transfer struct {
	*Op
	sourceDB, targetDB *data.DB
	source, target     lcm.Conversation
	graph              *lineage.Graph      // Of the source.
	sourceContext      []lcm.ContextItem   // Of the source.
	targetContext      []lcm.ContextItem   // The target's context.
	targetMessages     []lcm.MessageHeader // The target's messages.
	targetSummaries    int                 // How many the target has.
	plan               ops.Plan

	roots          []*lineage.Node              // Those that get a place in the target's context.
	nodes          []*lineage.Node              // All that are copied, sources first.
	messageLinks   map[string][]lcm.MessageLink // The links to messages, by summary.
	missingSources int                          // How many links lead to summaries that don't exist.
	rawMessages    []lcm.ContextItem            // Messages of the source's context to copy.
	others         []int64                      // Messages to copy that get no place in the context.
	duplicates     duplicates                   // What the target already has.
	present        map[int64]int64              // The target's own messages, by the source's ids: these aren't copied.

	messages  []data.Row           // The source's rows, in the order of their seqs.
	parts     map[int64][]data.Row // The source's rows, by message.
	summaries map[string]data.Row  // The source's rows, by id.
	files     map[string]string    // New ids of large files that get one, by the old id.

	ids            map[string]string // New ids of summaries, by the old id.
	numbers        map[int64]int64   // New ids of messages, by the old id.
	seqs           map[int64]int64   // New seqs of messages, by the old id.
	missingColumns map[string]bool   // Columns that the target's database lacks.
	droppedKeys    int               // How many keys of messages are left out because the target has them.
	droppedEntries int               // How many messages lose the id of their transcript entry, because a host of 1.0 looks for it in the target's transcript.
	estimator      token.Estimator
}

// newTransfer opens the source and reads what is needed of both conversations.
func (o *Op) newTransfer(ctx context.Context, db *data.DB) (*transfer, error) {
	t := &transfer{
		Op: o, sourceDB: db, targetDB: db, plan: ops.New(o.Name(), ""), estimator: token.Of(db.Kind().Level),
		ids: map[string]string{}, numbers: map[int64]int64{}, seqs: map[int64]int64{}, missingColumns: map[string]bool{},
		present: map[int64]int64{}, parts: map[int64][]data.Row{}, summaries: map[string]data.Row{}, files: map[string]string{},
	}
	if o.From != "" && !samePath(o.From, db.Path()) {
		from, err := data.Open(ctx, o.From)
		if err != nil {
			return nil, err
		}
		t.sourceDB = from
	}
	if err := t.load(ctx); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// close closes the source's database, if it is another one.
func (t *transfer) close() {
	if t.sourceDB != t.targetDB {
		_ = t.sourceDB.Close() // It was only read.
	}
}

// samePath reports whether two paths lead to the same file. It opens neither.
func samePath(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

// load reads both conversations and refuses those that can't be used.
func (t *transfer) load(ctx context.Context) (err error) {
	if t.sourceDB == t.targetDB && t.Source == t.Target {
		return t.refuse("source and target are the same conversation", "give the source conversation first, then the target")
	}
	if t.source, err = lcm.ReadConversation(ctx, t.sourceDB, t.Source); err != nil {
		return err
	}
	if t.target, err = lcm.ReadConversation(ctx, t.targetDB, t.Target); err != nil {
		return err
	}
	if err := t.checkTarget(ctx); err != nil {
		return err
	}
	if t.graph, err = lineage.Load(ctx, t.sourceDB, t.Source, previewBytes); err != nil {
		return err
	}
	if t.sourceContext, err = lcm.Context(ctx, t.sourceDB, t.Source); err != nil {
		return err
	}
	if t.targetContext, err = lcm.Context(ctx, t.targetDB, t.Target); err != nil {
		return err
	}
	if t.targetMessages, err = lcm.MessageHeaders(ctx, t.targetDB, t.Target); err != nil {
		return err
	}
	return t.loadLinks(ctx)
}

// previewBytes is how much of a summary's text a list shows of it.
const previewBytes = 240

// loadLinks reads the links from the source's leaves to messages.
func (t *transfer) loadLinks(ctx context.Context) error {
	links, err := lcm.MessageLinks(ctx, t.sourceDB, t.Source)
	t.messageLinks = map[string][]lcm.MessageLink{}
	for _, l := range links {
		t.messageLinks[l.Summary] = append(t.messageLinks[l.Summary], l)
	}
	return err
}

// checkTarget refuses a target that no host reads any more.
func (t *transfer) checkTarget(ctx context.Context) error {
	if t.target.Active || t.Reactivated {
		return nil
	}
	all, err := lcm.Conversations(ctx, t.targetDB)
	if err != nil {
		return err
	}
	successor := slices.IndexFunc(all, func(c lcm.Conversation) bool {
		return c.Active && c.SessionKey != "" && c.SessionKey == t.target.SessionKey && (t.sourceDB != t.targetDB || c.ID != t.Source)
	})
	next, onScreen := "choose an active one: lcm-tui conversations --active", "choose an active one"
	if successor >= 0 {
		onScreen = fmt.Sprintf("conversation %d goes on for the same session", all[successor].ID)
		next = fmt.Sprintf("%s: lcm-tui transplant %d %d", onScreen, t.Source, all[successor].ID)
	}
	return t.refuse(fmt.Sprintf("conversation %d is archived, so its host never reads it again", t.Target), next, onScreen)
}

// folder is the absolute path of a database's files folder: given, or lcm-files beside it.
func folder(given string, db *data.DB) string {
	if given == "" {
		given = filepath.Join(filepath.Dir(db.Path()), "lcm-files")
	}
	if whole, err := filepath.Abs(given); err == nil { // Stored paths are whole.
		return whole
	}
	return given
}
