package integrity

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// expiredDays is how long hosts keep batches that are published, stale or failed.
const expiredDays = 7

// checkBatches checks batches by themselves, and the active ones of each conversation.
func (p *pendingScan) checkBatches() {
	active := map[int64][]string{}
	for _, b := range p.newest {
		if b.Status == lcm.BatchPublished && b.PublishedAt.Null && p.file.db.Schema().Has(data.PendingBatchTable, "published_at") {
			p.addBatch(PendingStatusContradictory, b, "published, without the time of it")
		}
		if !b.Active() {
			continue
		}
		active[b.Conversation] = append(active[b.Conversation], b.ID)
		if row, archived := p.file.isArchived(b.Conversation); archived {
			detail := "prepared texts of " + plural.Count(p.characters(b.ID), "character", "characters")
			if row.Cause != "" {
				detail += "; the conversation was archived: " + clip(row.Cause)
			}
			p.addBatch(PendingOfArchived, b, detail)
		}
	}
	for _, ids := range active {
		if len(ids) > 1 {
			p.addBatch(PendingBatchDuplicate, p.batches[ids[1]], fmt.Sprintf("%d batches are active; the host looks at %s only", len(ids), ids[0]), ids...)
		}
	}
}

// characters counts the characters of all texts of a batch.
func (p *pendingScan) characters(batch string) (n int) {
	for _, node := range p.nodes {
		if node.Batch == batch {
			n += characterCount(node.Content)
		}
	}
	return n
}

// characterCount returns the length of a cell as SQLite counts it: characters before the first NUL
// of a text, bytes of a blob.
func characterCount(s data.Stored) int {
	if s.Blob {
		return len(s.Text)
	}
	text, _, _ := strings.Cut(s.Text, "\x00")
	return utf8.RuneCountInString(text)
}

// checkExpired finds finished batches that the host should have deleted.
func (p *pendingScan) checkExpired() {
	before := data.FormatTime(p.file.now.AddDate(0, 0, -expiredDays))
	finished := []string{lcm.BatchStale, lcm.BatchFailed, lcm.BatchPublished}
	expired, characters := map[int64][]string{}, map[int64]int{}
	for _, b := range p.newest {
		if slices.Contains(finished, b.Status) && !b.UpdatedAt.Null && b.UpdatedAt.Raw <= before {
			expired[b.Conversation] = append(expired[b.Conversation], b.ID)
		}
	}
	for _, n := range p.nodes {
		if b := p.of(n); b != nil && slices.Contains(expired[b.Conversation], b.ID) {
			characters[b.Conversation] += characterCount(n.Content)
		}
	}
	for conv, ids := range expired {
		detail := plural.Count(len(ids), "batch", "batches") + " without texts"
		if n := characters[conv]; n > 0 {
			detail = fmt.Sprintf("%s, with texts of %s", plural.Count(len(ids), "batch", "batches"), plural.Count(n, "character", "characters"))
		}
		p.addAt(PendingBatchExpired, conv, rowAt(data.PendingBatchTable, ids[0]), detail, ids...)
	}
}

// sourceFailures are the failures of batches whose source was changed, which is no failure of
// the host.
var sourceFailures = []string{
	"pending batch range is no longer compactable", "source projection fingerprint changed before publish",
	"pending batch source changed before publish", "pending batch source range changed before publish",
}

// isOwnReason reports whether this program made a batch stale, which is no failure of the host
// either.
func isOwnReason(failure string) bool { return strings.Contains(failure, "lcm-tui") }

// failure is what a batch or node failed with.
type failure struct {
	conversation int64
	text         string
	null         bool
}

// failedRows are the rows that failed with the same.
type failedRows struct {
	first   location // The newest batch, or a node where there is none.
	rows    []string
	latest  string // When the last of them changed.
	batches int
	nodes   []*lcm.PendingNode // Those that the host tried.
}

// checkFailures finds failures that come again and again: of two batches that were given up,
// or of one and a node that fails now.
func (p *pendingScan) checkFailures() {
	failed := map[failure]*failedRows{}
	note := func(conv int64, s data.Stored, where location, at data.Time) *failedRows {
		key := failure{conv, s.Text, s.Null}
		if failed[key] == nil {
			failed[key] = &failedRows{first: where}
		}
		f := failed[key]
		f.rows, f.latest = append(f.rows, where.row), max(f.latest, at.Raw)
		return f
	}
	for _, b := range p.newest {
		if b.Status == lcm.BatchStale && !b.Failure.Null && !slices.Contains(sourceFailures, b.Failure.Text) && !isOwnReason(b.Failure.Text) {
			note(b.Conversation, b.Failure, rowAt(data.PendingBatchTable, b.ID), b.UpdatedAt).batches++
		}
	}
	for _, n := range p.nodes {
		if b := p.of(n); n.Status == lcm.NodeFailed && b != nil && b.Status == lcm.BatchPlanning {
			note(n.Conversation, n.Failure, rowAt(data.PendingNodeTable, n.ID), n.UpdatedAt)
		}
	}
	for _, n := range p.nodes { // Nodes that weren't tried have the failure of their batch.
		key := failure{n.Conversation, n.Failure.Text, n.Failure.Null}
		if f := failed[key]; f != nil && n.RetryCount > 0 {
			f.nodes = append(f.nodes, n)
		}
	}
	for key, f := range failed {
		if len(f.rows) > 1 {
			p.addFailure(key, f)
		}
	}
}

// addFailure adds a failure that comes again and again, with what can be done about its reason.
func (p *pendingScan) addFailure(key failure, f *failedRows) {
	reason := cmp.Or(key.text, "no reason is noted")
	finding := p.addAt(PendingFailureRepeated, key.conversation, f.first, fmt.Sprintf("failed %s, the last time at %s: %s",
		plural.Count(len(f.rows), "time", "times"), orUnknownTime(f.latest), clip(reason)), f.rows...)
	lower := strings.ToLower(reason)
	holds := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(lower, w) })
	}
	switch {
	case holds("empty pending summary source"):
		finding.Detail += p.textless(f.nodes)
		finding.Repair = "the messages named hold only thoughts or blanks, so that the host has nothing to summarize: raise leafChunkTokens in its settings, and it summarizes them together with their neighbours"
	case holds("auth", "401", "403", "api key"):
		finding.Detail += "; the provider refuses the key of the summary model"
		finding.Repair = "the provider refuses the key: correct the key of the host's summary model; the host then tries again by itself"
	}
}

// textless names the messages of nodes that hold no text, without repeating those of an earlier
// batch.
func (p *pendingScan) textless(nodes []*lcm.PendingNode) string {
	var ids []string
	for _, n := range nodes {
		if s := p.sources[n.ID]; s != nil {
			for _, m := range s.Messages {
				if id := formatID(m.Message); !slices.Contains(ids, id) {
					ids = append(ids, id)
				}
			}
		}
	}
	if len(ids) == 0 {
		return ""
	}
	const most = 8
	more := ""
	if len(ids) > most {
		ids, more = ids[:most], ", …"
	}
	return "; without text: message " + strings.Join(ids, ", ") + more
}
