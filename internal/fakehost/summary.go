package fakehost

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"lcm-tui/internal/lazyregexp"
)

// SummaryOptions are what a summary may be given beside its text and sources.
type SummaryOptions struct {
	ID        string    // made up when empty
	At        time.Time // zero: a minute after the newest row
	Tokens    int       // 0: the estimate of the text
	Model     string    // provider/model; empty: unknown
	NoContext bool      // writes the node and its links and leaves the context alone
}

// summary is a row with everything that is computed from its sources.
type summary struct {
	conv             int64
	kind             string
	depth            int
	content          string
	earliest, latest any
	descendants      int
	below, raw       int // tokens of descendants, tokens of source messages
	files            []string
}

// Leaf summarises messages: the node with its counters, its links and its search rows
// takes their place in the context. The messages must stand there in one run.
func (h *Writer) Leaf(conv int64, messages []int64, content string, opts ...SummaryOptions) (id string, err error) {
	err = h.Tx(func(h *Writer) error {
		s := summary{conv: conv, kind: "leaf", content: content}
		ids := make([]any, len(messages))
		for i, m := range messages {
			ids[i] = m
			if err := h.addMessage(&s, m); err != nil {
				return err
			}
		}
		id, err = h.writeSummary(s, "message", ids, opts)
		return err
	})
	return id, err
}

// Condense summarises summaries likewise; the new node is one level above the highest.
func (h *Writer) Condense(conv int64, summaries []string, content string, opts ...SummaryOptions) (id string, err error) {
	err = h.Tx(func(h *Writer) error {
		s := summary{conv: conv, kind: "condensed", depth: 1, content: content}
		ids := make([]any, len(summaries))
		for i, x := range summaries {
			ids[i] = x
			if err := h.addSummary(&s, x); err != nil {
				return err
			}
		}
		id, err = h.writeSummary(s, "summary", ids, opts)
		return err
	})
	return id, err
}

// addMessage counts a source message into a leaf.
func (h *Writer) addMessage(s *summary, id int64) error {
	var tokens int
	var content, at string
	if err := h.row([]any{&tokens, &content, &at}, "SELECT token_count, content, created_at FROM messages WHERE message_id = ?", id); err != nil {
		return fmt.Errorf("read source message %d: %w", id, err)
	}
	s.raw += tokens
	s.extendTimeRange(iso(at), iso(at))
	s.addFileIDs(content)
	return nil
}

// addSummary counts a source summary into a condensed node.
func (h *Writer) addSummary(s *summary, id string) error {
	var depth, tokens, descendants int
	var content, files, earliest, latest string
	err := h.row([]any{&depth, &tokens, &descendants, &content, &files, &earliest, &latest}, `SELECT depth, token_count, descendant_count,
		content, file_ids, COALESCE(earliest_at, created_at), COALESCE(latest_at, created_at) FROM summaries WHERE summary_id = ?`, id)
	if err != nil {
		return fmt.Errorf("read source summary %s: %w", id, err)
	}
	s.depth = max(s.depth, depth+1)
	s.descendants += descendants + 1
	s.extendTimeRange(iso(earliest), iso(latest))
	s.addFileIDs(files + content)
	if !h.Has("summaries", "descendant_token_count") {
		return nil
	}
	var below, raw int
	if err := h.row([]any{&below, &raw}, "SELECT descendant_token_count, source_message_token_count FROM summaries WHERE summary_id = ?", id); err != nil {
		return err
	}
	s.below += tokens + below
	s.raw += raw
	return nil
}

// extendTimeRange extends the time range; the form of the times sorts as text.
func (s *summary) extendTimeRange(lo, hi any) {
	if l, ok := lo.(string); ok && (s.earliest == nil || l < s.earliest.(string)) {
		s.earliest = l
	}
	if h, ok := hi.(string); ok && (s.latest == nil || h > s.latest.(string)) {
		s.latest = h
	}
}

var fileID = lazyregexp.New(`(?i)\bfile_[a-f0-9]{16}\b`)

// addFileIDs collects the ids of large files in a source, in order and once each.
func (s *summary) addFileIDs(text string) {
	for _, id := range fileID.FindAllString(text, -1) {
		if id = strings.ToLower(id); !slices.Contains(s.files, id) {
			s.files = append(s.files, id)
		}
	}
}
