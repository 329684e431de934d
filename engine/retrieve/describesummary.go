package retrieve

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// isSummaryID reports whether an id is that of a summary.
func isSummaryID(id string) bool { return strings.HasPrefix(id, "sum_") }

// SummaryDescription is a summary with its sources, which the format calls parents, and its
// derivatives, which it calls children.
type SummaryDescription struct {
	Conversation     int64         `json:"conversationId"`
	Kind             string        `json:"kind"`
	Content          string        `json:"content"`
	Depth            int64         `json:"depth"`
	Tokens           int64         `json:"tokenCount"`
	Descendants      int64         `json:"descendantCount"`
	DescendantTokens int64         `json:"descendantTokenCount"`
	SourceTokens     int64         `json:"sourceMessageTokenCount"`
	FileIDs          []string      `json:"fileIds"`
	Parents          []string      `json:"parentIds"`
	Children         []string      `json:"childIds"`
	Messages         []int64       `json:"messageIds"`
	EarliestAt       Instant       `json:"earliestAt"`
	LatestAt         Instant       `json:"latestAt"`
	Subtree          []SubtreeNode `json:"subtree"`
	CreatedAt        Instant       `json:"createdAt"`
}

// Manifest is what expanding the nodes of a subtree would cost, held against a cap.
type Manifest struct {
	TokenCap int64          `json:"tokenCap"`
	Source   string         `json:"budgetSource"` // "request", "delegated_grant_remaining" or "config_default".
	Nodes    []ManifestNode `json:"nodes"`
}

// ManifestNode is a node with its costs in tokens.
type ManifestNode struct {
	SubtreeNode
	Costs struct {
		Summaries int64 `json:"summariesOnly"`
		Messages  int64 `json:"withMessages"`
	} `json:"costs"`
	Fits struct {
		Summaries bool `json:"summariesOnly"`
		Messages  bool `json:"withMessages"`
	} `json:"budgetFit"`
}

func (r DescribeRequest) describeSummary(ctx context.Context, db *data.DB, scope Scope, d *Description) error {
	s, err := lcm.ReadSummary(ctx, db, d.ID)
	if err != nil {
		return err
	}
	if !scope.Contains(s.Conversation) {
		return scope.refuse(s.Conversation, d.ID)
	}
	d.Type = TypeSummary
	d.Summary = &SummaryDescription{
		Conversation: s.Conversation, Kind: s.Kind, Content: jstext.Decode(s.Content), Depth: s.Depth, Tokens: s.Tokens,
		Descendants: max(0, s.Descendants), DescendantTokens: max(0, s.DescendantTokens), SourceTokens: max(0, s.SourceTokens),
		FileIDs: fileIDs(s.FileIDs), EarliestAt: Instant(s.EarliestAt), LatestAt: Instant(s.LatestAt), CreatedAt: Instant(s.CreatedAt),
	}
	if d.Summary.Parents, err = sourceIDs(ctx, db, scope, d.ID); err != nil {
		return err
	}
	if d.Summary.Messages, err = messageIDs(ctx, db, scope, d.ID); err != nil {
		return err
	}
	walk, err := walkDerivatives(ctx, db, scope, s)
	if err != nil {
		return err
	}
	d.Summary.Children, d.Summary.Subtree = walk.children(d.ID), walk.subtree()
	d.Manifest = r.manifest(d.Summary.Subtree)
	return nil
}

// fileIDs returns the ids of files in a cell of file_ids; a damaged cell has none.
func fileIDs(cell string) []string {
	ids := []string{}
	if json.Unmarshal([]byte(cell), &ids) != nil || ids == nil {
		return []string{}
	}
	return ids
}

// messageIDs returns the messages that a leaf was made of, in the order of its links, but for those of
// conversations outside of the scope. A message needn't exist.
func messageIDs(ctx context.Context, db *data.DB, scope Scope, leaf string) ([]int64, error) {
	links, err := lcm.MessageLinksOf(ctx, db, []string{leaf})
	ids := make([]int64, len(links))
	for i, l := range links {
		ids[i] = l.Message
	}
	if err != nil || scope.All() {
		return ids, err
	}
	at, err := lcm.MessagesByID(ctx, db, ids, 1)
	return slices.DeleteFunc(ids, func(id int64) bool {
		m, ok := at[id]
		return ok && !scope.Contains(m.Conversation)
	}), err
}

// sourceIDs returns the sources of a summary that exist and lie in the scope, in the order of its
// links.
func sourceIDs(ctx context.Context, db *data.DB, scope Scope, id string) ([]string, error) {
	sources, _, err := sourcesOf(ctx, db, scope, id, 1)
	ids := make([]string, 0, len(sources))
	for _, s := range sources {
		ids = append(ids, s.ID)
	}
	return ids, err
}

// sourcesOf returns the sources of a summary that exist and lie in the scope, in the order of its
// links, with the first clipBytes bytes of their texts, and how many lie outside of the scope.
func sourcesOf(ctx context.Context, db *data.DB, scope Scope, id string, clipBytes int) (in []lcm.Summary, outside int, err error) {
	links, err := lcm.SourceLinks(ctx, db, []string{id})
	if err != nil || len(links) == 0 {
		return nil, 0, err
	}
	ids := make([]string, len(links))
	for i, l := range links {
		ids[i] = l.Source
	}
	at, err := lcm.SummariesByID(ctx, db, ids, clipBytes)
	for _, id := range ids {
		switch s, ok := at[id]; {
		case ok && scope.Contains(s.Conversation):
			in = append(in, s)
		case ok:
			outside++
		}
	}
	return in, outside, err
}

func (r DescribeRequest) manifest(nodes []SubtreeNode) *Manifest {
	m := &Manifest{Nodes: make([]ManifestNode, len(nodes))}
	m.TokenCap, m.Source = r.cap()
	for i, node := range nodes {
		n := &m.Nodes[i]
		n.SubtreeNode = node
		n.Costs.Summaries = max(0, node.Tokens+node.DescendantTokens)
		n.Costs.Messages = max(0, n.Costs.Summaries+node.SourceTokens)
		n.Fits.Summaries, n.Fits.Messages = n.Costs.Summaries <= m.TokenCap, n.Costs.Messages <= m.TokenCap
	}
	return m
}

func (d *Description) summaryText() string {
	s := d.Summary
	lines := []string{
		"LCM_SUMMARY " + d.ID,
		fmt.Sprintf("meta conv=%d kind=%s depth=%d tok=%d descTok=%d srcTok=%d desc=%d range=%s..%s budgetCap=%d", s.Conversation, s.Kind,
			s.Depth, s.Tokens, s.DescendantTokens, s.SourceTokens, s.Descendants, s.EarliestAt, s.LatestAt, d.Manifest.TokenCap),
	}
	if len(s.Parents) > 0 {
		lines = append(lines, "parents "+strings.Join(s.Parents, " "))
	}
	if len(s.Children) > 0 {
		lines = append(lines, "children "+strings.Join(s.Children, " "))
	}
	lines = append(lines, "manifest")
	for _, n := range d.Manifest.Nodes {
		lines = append(lines, n.String())
	}
	return strings.Join(append(lines, "content", s.Content), "\n")
}

// String returns the node's line of the manifest.
func (n ManifestNode) String() string {
	fit := map[bool]string{true: "in", false: "over"}
	return fmt.Sprintf("d%d %s k=%s tok=%d descTok=%d srcTok=%d desc=%d child=%d range=%s..%s cost[s=%d,m=%d] budget[s=%s,m=%s]",
		n.Steps, n.ID, n.Kind, n.Tokens, n.DescendantTokens, n.SourceTokens, n.Descendants, n.Children, n.EarliestAt, n.LatestAt,
		n.Costs.Summaries, n.Costs.Messages, fit[n.Fits.Summaries], fit[n.Fits.Messages])
}

// Instant is a stored time as the agent tools write it: in their JSON in UTC to the millisecond,
// in their texts to the minute. A time that can't be read is null and "-".
type Instant data.Time

// MarshalJSON implements json.Marshaler.
func (t Instant) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return []byte(strconv.Quote(data.FormatTimeMillis(t.Time))), nil
}

func (t Instant) String() string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format("2006-01-02 15:04") + " UTC"
}
