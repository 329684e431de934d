package search

import (
	"context"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
)

// parts reads the parts of messages one by one, in the order of time: tool calls, results and
// reasoning, which no search table has. Of a message whose own text is found no part is listed,
// because hosts store most texts in both places.
func (r *run) parts(ctx context.Context) error {
	return r.scan(ctx, PartKind, func(slice textsearch.IDRange, add func(Hit)) (time.Time, error) {
		var hits []Hit
		err := textsearch.ScanParts(ctx, r.db, slice, r.oldest(), r.conditions.of(PartKind), r.query.partTexts(), func(p textsearch.PartRow) error {
			if h, ok := r.partHit(&p); ok {
				hits = append(hits, h)
			}
			return ctx.Err()
		})
		if err != nil {
			return time.Time{}, err
		}
		return r.addPartMessages(ctx, hits, add)
	})
}

// partHit returns the hit that a part is, if the query finds its text, without what its message
// knows.
func (r *run) partHit(p *textsearch.PartRow) (h Hit, ok bool) {
	var texts []string
	for _, f := range p.Fields {
		texts = append(texts, f.Text)
	}
	text := strings.Join(texts, "\n")
	if !r.query.Matches(text) {
		return h, false
	}
	h = Hit{Kind: PartKind, Message: p.Message, Part: PartPlace{ID: p.ID, Ordinal: p.Ordinal, Type: p.Type, Tool: p.Tool}}
	r.query.describe(&h, text, int64(len(text)))
	field := fieldAt(p.Fields, r.query.firstMatch(text))
	h.Part.Field = field.Column
	r.query.describeReadable(&h, field.Text)
	return h, true
}

// describeReadable gives the hit in a field of a part a snippet of the field as people read it, where the match is in that.
func (q Query) describeReadable(h *Hit, text string) {
	text = h.Part.Readable(data.StartOfText(text, textsearch.MaxTextBytes))
	if spans := q.Highlight(text); len(spans) > 0 || len(h.Spans) == 0 {
		h.Snippet, h.Spans = Snippet(text, spans)
	}
}

// fieldAt returns the field in which a place of the joined texts lies.
func fieldAt(fields []textsearch.Field, place int) textsearch.Field {
	for _, f := range fields {
		if place -= len(f.Text) + 1; place < 0 {
			return f
		}
	}
	return textsearch.Field{}
}

// firstMatch returns where the first match in a text begins.
func (q Query) firstMatch(text string) int {
	first := len(text)
	for _, g := range q.Groups {
		for _, t := range g {
			if s, ok := t.matcher.find(text, 0); ok {
				first = min(first, s.From)
			}
		}
	}
	if first == len(text) {
		return 0
	}
	return first
}

// addPartMessages adds hits with what their messages know. It leaves those out whose message
// isn't in the search, or is found itself.
func (r *run) addPartMessages(ctx context.Context, hits []Hit, add func(Hit)) (last time.Time, err error) {
	var ids []int64
	for _, h := range hits {
		if len(ids) == 0 || ids[len(ids)-1] != h.Message {
			ids = append(ids, h.Message)
		}
	}
	rows, err := textsearch.Messages(ctx, r.db, ids, r.conditions.ofPartMessages(), data.WholeText)
	if err != nil {
		return last, err
	}
	at := map[int64]*textsearch.MessageRow{}
	for i := range rows {
		at[rows[i].ID] = &rows[i]
	}
	searched := r.query.HasText() && r.conditions.wants(MessageKind)
	for _, h := range hits {
		m := at[h.Message]
		if m == nil || searched && r.query.Matches(m.Text) {
			continue
		}
		h.Conversation, h.Seq, h.Role, h.At = m.Conversation, m.Seq, m.Role, m.At
		last = m.At.Time
		add(h)
	}
	return last, nil
}

// partTexts returns texts of which SQLite can tell whether a part has them: of each group one has
// to be there, whatever the case.
func (q Query) partTexts() (out [][]string) {
	for _, g := range q.Groups {
		var texts []string
		for _, t := range g {
			if text := t.caselessPart(); text != "" {
				texts = append(texts, text)
			}
		}
		if len(texts) == len(g) {
			out = append(out, texts)
		}
	}
	return out
}

// caselessPart returns what every match of a term contains, as far as that is the same in upper and
// lower case but for ASCII, or empty.
func (t Term) caselessPart() string {
	switch m := t.matcher.(type) {
	case wordMatcher:
		return m.start
	case substringMatcher:
		if strings.IndexFunc(t.Text, hasOtherCase) < 0 && !strings.Contains(t.Text, "\x00") {
			return t.Text
		}
	}
	return ""
}
