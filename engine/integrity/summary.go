package integrity

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
)

// recall reads the conversation's summaries. What concerns one alone is told of at
// once.
func (t *talk) recall(ctx context.Context) error {
	texts := map[uint64]string{}
	return t.db.SeenSummaries(ctx, t.row.ID, func(s *data.SeenSummary) error {
		n := &node{SeenSummary: *s}
		n.Content = data.Stored{}
		t.nodes[s.ID] = n
		t.order = append(t.order, n)
		t.cell(summary(s.ID), "content", s.Content)
		t.timed(summary(s.ID), s.CreatedAt)
		t.text(n, s)
		t.named(s)
		t.searched(s)
		t.mention(s.Content.Text)
		t.mention(s.FileIDs.Text)
		if k := hash(s.Content.Text); utf8.RuneCountInString(s.Content.Text) > 40 {
			if kept, again := texts[k]; again {
				t.equal = append(t.equal, [2]string{kept, s.ID})
			} else {
				texts[k] = s.ID
			}
		}
		return nil
	})
}

// text: what a summary says, and how much of it there is.
func (t *talk) text(n *node, s *data.SeenSummary) {
	content := s.Content.Text
	where := summary(s.ID)
	marker := summarize.Detect(content, s.Model)
	trimmed := strings.Trim(content, jsSpace)
	switch {
	case trimmed == "", trimmed == "[Truncated from 0 tokens]":
		n.broken = true
		t.add("Q02", where, "there is nothing in it")
	case marker != summarize.None:
		n.broken = true
		t.add("Q01", where, markerWords[marker])
	}
	if last := trimmed[strings.LastIndexByte(trimmed, '\n')+1:]; strings.Contains(last, "[Capped") && strings.HasSuffix(last, "]") {
		t.add("Q05", where, clipped(last[strings.LastIndex(last, "[Capped"):]))
	}
	t.thinking(where, content)
	t.sized(n, s)
	if s.Model == "unknown" {
		t.unknown = append(t.unknown, s.ID)
	}
	if !strings.HasPrefix(s.ID, "sum_") {
		t.add("Q13", where, "unusual id "+clipped(s.ID))
	}
}

// markerWords say what a marker tells.
var markerWords = map[summarize.Marker]string{
	summarize.Old:       "the host's own fallback, marked at the start",
	summarize.Fallback:  "the host's own fallback, marked at the end",
	summarize.Truncated: "its source was cut off instead, marked at the end",
	summarize.Emergency: "made in an emergency, without a model",
}

// thinking: a model's reasoning.
func (t *talk) thinking(where at, content string) {
	start := strings.TrimLeft(content, jsSpace)
	for _, tag := range []string{"<think", "<reasoning"} {
		if strings.HasPrefix(start, tag) {
			t.add("Q06", where, "begins with "+tag+">")
			return
		}
	}
	for _, tag := range []string{"</think>", "</thinking>", "</reasoning>"} {
		if strings.Contains(content, tag) {
			t.add("Q06", where, "holds "+tag)
			return
		}
	}
}

// Three times the usual targets, which is how far hosts let a model go.
const (
	mostLeaf      = 3 * 2400
	mostCondensed = 3 * 2000
)

// sized: how much of it there is. Either estimator's count is right, and where they
// differ anything between them.
func (t *talk) sized(n *node, s *data.SeenSummary) {
	now, before := token.Weighted.Count(s.Content.Text), token.Units.Count(s.Content.Text)
	lo, hi := min(now, before), max(now, before)
	where := summary(s.ID)
	switch {
	case !s.Tokens.Valid:
		t.add("Q10", where, "token_count is "+clipped(s.Tokens.Raw))
	case s.Tokens.Value <= 0 && hi > 0, s.Tokens.Value > 2*hi+8, s.Tokens.Value*2 < lo-8:
		t.add("Q10", where, fmt.Sprintf("counted %d tokens, the text has %d", s.Tokens.Value, now))
	}
	most := int64(mostLeaf)
	if s.Condensed() {
		most = mostCondensed
	}
	if s.Tokens.Value > most {
		t.add("Q04", where, fmt.Sprintf("%d tokens", s.Tokens.Value))
	}
	if !s.Condensed() && s.SourceTokens > 0 && s.Tokens.Value >= s.SourceTokens && !n.broken {
		t.add("Q03", where, fmt.Sprintf("%d tokens of a source of %d", s.Tokens.Value, s.SourceTokens))
	}
}

// named: which files it names.
func (t *talk) named(s *data.SeenSummary) {
	if s.FileIDs.Null {
		return
	}
	var ids []any
	if !json.Valid([]byte(s.FileIDs.Text)) {
		t.add("M11", summary(s.ID), "file_ids isn't JSON: "+clipped(s.FileIDs.Text))
		return
	}
	if json.Unmarshal([]byte(s.FileIDs.Text), &ids) != nil {
		return
	}
	for _, v := range ids {
		if id := fmt.Sprint(v); !t.knows(id) {
			t.add("Q12", summary(s.ID), "names "+clipped(id)+", of which there is no row", s.ID, id)
		}
	}
}

// recalled looks at the summaries as a whole.
func (t *talk) recalled() {
	for _, pair := range t.equal {
		t.add("Q07", summary(pair[1]), "says the same as "+pair[0], pair[0], pair[1])
	}
	if len(t.unknown) > 0 {
		t.add("Q11", summary(t.unknown[0]), fmt.Sprintf("%d summaries", len(t.unknown)), t.unknown...)
	}
	t.leafTimes()
	for _, n := range t.order {
		if n.condensed() {
			t.condensedTimes(n)
			t.counters(n)
		} else {
			t.sourceTokens(n)
		}
	}
	t.orphans()
}

// slack is how far times may be apart.
const slack = 2 * time.Second

func apart(a, b time.Time) bool { return a.Sub(b).Abs() > slack }

// timeFault is a leaf whose range is off.
type timeFault struct {
	n      *node
	lo, hi time.Time
}

// leafTimes: a leaf spans its messages. Where all leaves that are off are off by
// the same quarters of an hour, the host took UTC for its local time.
func (t *talk) leafTimes() {
	var off []timeFault
	shifts := map[time.Duration]int{}
	for _, n := range t.order {
		lo, hi, ok := t.span(n)
		if n.condensed() || !ok || n.EarliestAt.Valid() && n.LatestAt.Valid() && !apart(n.EarliestAt.Time, lo) && !apart(n.LatestAt.Time, hi) {
			continue
		}
		off = append(off, timeFault{n, lo, hi})
		if a, b := n.EarliestAt.Sub(lo).Round(time.Second), n.LatestAt.Sub(hi).Round(time.Second); a == b && a%(15*time.Minute) == 0 {
			shifts[a]++
		}
	}
	zone := time.Duration(0)
	for shift, n := range shifts {
		if n == len(off) && n > 1 {
			zone = shift
		}
	}
	for _, f := range off {
		detail := fmt.Sprintf("%s to %s, its messages are from %s to %s", told(f.n.EarliestAt), told(f.n.LatestAt), f.lo.Format(time.DateTime), f.hi.Format(time.DateTime))
		if zone != 0 {
			detail += fmt.Sprintf("; all of them are off by %s, as when UTC is taken for local time", zone)
		}
		t.add("Q08", summary(f.n.ID), detail)
	}
}

func told(v data.Time) string {
	if v.Null || v.Raw == "" {
		return "none"
	}
	return clipped(v.Raw)
}

// span is from the oldest of a leaf's messages to the newest.
func (t *talk) span(n *node) (lo, hi time.Time, ok bool) {
	var first, last int64
	for _, id := range n.members {
		i, known := t.place[id]
		if !known || t.said[i].at == 0 {
			continue
		}
		at := t.said[i].at
		if first == 0 || at < first {
			first = at
		}
		last = max(last, at)
	}
	return time.Unix(first, 0).UTC(), time.Unix(last, 0).UTC(), first != 0
}

// condensedTimes: a condensed summary spans its sources.
func (t *talk) condensedTimes(n *node) {
	var lo, hi time.Time
	for _, id := range n.sources {
		s := t.nodes[id]
		if s == nil || s == n {
			continue
		}
		from, to := orElse(s.EarliestAt, s.CreatedAt), orElse(s.LatestAt, s.CreatedAt)
		if lo.IsZero() || !from.IsZero() && from.Before(lo) {
			lo = from
		}
		if to.After(hi) {
			hi = to
		}
	}
	switch {
	case lo.IsZero() || hi.IsZero():
	case !n.EarliestAt.Valid() || !n.LatestAt.Valid(), apart(n.EarliestAt.Time, lo), apart(n.LatestAt.Time, hi):
		t.add("Q09", summary(n.ID), fmt.Sprintf("%s to %s, its sources are from %s to %s", told(n.EarliestAt), told(n.LatestAt), lo.Format(time.DateTime), hi.Format(time.DateTime)))
	}
}

// orElse is the time, or where none is stored another.
func orElse(v, other data.Time) time.Time {
	if v.Null || v.Raw == "" {
		return other.Time
	}
	return v.Time
}

// counters: a condensed summary's are the sums of its sources'.
func (t *talk) counters(n *node) {
	if !t.db.Schema().Has("summaries", "descendant_token_count", "source_message_token_count") {
		return
	}
	var count, tokens, source int64
	for _, id := range n.sources {
		if s := t.nodes[id]; s != nil && s != n {
			count += s.Descendants + 1
			tokens += s.Tokens.Value + s.DescendantTokens
			source += s.SourceTokens
		}
	}
	if n.Descendants != count || n.DescendantTokens != tokens || n.SourceTokens != source {
		t.add("L13", summary(n.ID), fmt.Sprintf("says %d summaries of %d tokens below it, of %d tokens of messages; they are %d of %d, of %d",
			n.Descendants, n.DescendantTokens, n.SourceTokens, count, tokens, source))
	}
}

// sourceTokens: a leaf's are the sum of its messages'. Hosts from 0.15.2 add what
// they render about senders, and all estimate where nothing was counted.
func (t *talk) sourceTokens(n *node) {
	if !t.db.Schema().Has("summaries", "source_message_token_count") || len(n.members) == 0 || n.unreal > 0 {
		return
	}
	var sum int64
	more := false
	for _, id := range n.members {
		s := &t.said[t.place[id]]
		sum += s.tokens
		more = more || s.sender || s.tokens <= 0
	}
	if n.SourceTokens != sum && (n.SourceTokens < sum || !more) {
		t.add("L14", summary(n.ID), fmt.Sprintf("says %d tokens, its messages have %d", n.SourceTokens, sum))
	}
}

// orphans are summaries that nothing leads to. /new drops them from a context
// rightly: below a depth that is set, all of them.
func (t *talk) orphans() {
	for _, n := range t.order {
		if n.placed || len(n.derived) > 0 {
			continue
		}
		if by := t.unfinished(n); by != "" {
			t.add("L09", summary(n.ID), "nothing leads to it, while "+by+" still stands in the context")
			continue
		}
		if t.retired() || t.reset(max(n.LatestAt.Unix(), n.CreatedAt.Unix())) {
			continue
		}
		f := t.add("L08", summary(n.ID), fmt.Sprintf("%s of depth %d, neither in the context nor under another", n.Kind, n.Depth))
		if t.maybeNew && !t.keptOlder(n) {
			f.mild()
			f.Detail += "; as /new leaves it"
		}
	}
}

// unfinished is what an orphan was made of that still stands in the context.
func (t *talk) unfinished(n *node) string {
	for _, id := range n.members {
		if t.inContext[id] {
			return "message " + number(id)
		}
	}
	for _, id := range n.sources {
		if s := t.nodes[id]; s != nil && s.placed {
			return "summary " + id
		}
	}
	return ""
}

// keptOlder reports whether the context holds a summary that /new would have dropped
// before n.
func (t *talk) keptOlder(n *node) bool {
	for _, o := range t.order {
		if o.placed && o.Depth <= n.Depth && o.LatestAt.Before(n.LatestAt.Time) {
			return true
		}
	}
	return false
}
