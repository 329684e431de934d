package retrieve

import (
	"context"
	"errors"

	"lcm-tui/data"
)

// DefaultExpandTokens is the cap of a description where no other is given: the host's default of
// maxExpandTokens.
const DefaultExpandTokens = 4000

// DescribeRequest asks about one summary or one large file.
type DescribeRequest struct {
	ID         string // As ParseID reads it.
	TokenCap   *int64 // What the costs of the manifest are compared with; at least 1.
	DefaultCap int64  // The cap where none is given; 0 is DefaultExpandTokens.
	File       FileRequest
	Limits     Limits
}

// Description is what there is to say about a summary or a large file. Its JSON is that of the
// reference engine's describe, with the manifest of its tool.
type Description struct {
	ID       string              `json:"id"`
	Type     string              `json:"type"` // TypeSummary or TypeFile.
	Summary  *SummaryDescription `json:"summary,omitempty"`
	File     *FileDescription    `json:"file,omitempty"`
	Manifest *Manifest           `json:"manifest,omitempty"` // Of a summary.
}

// The types of a Description.
const (
	TypeSummary = "summary"
	TypeFile    = "file"
)

// Run describes what the request names. What isn't there, or isn't in the scope, and an id that
// is none, are a *ToolError.
func (r DescribeRequest) Run(ctx context.Context, db *data.DB, scope Scope) (*Description, error) {
	id, err := ParseID(r.ID)
	if err != nil {
		return nil, err
	}
	d := &Description{ID: id}
	if isSummaryID(id) {
		err = r.describeSummary(ctx, db, scope, d)
	} else {
		err = r.describeFile(ctx, db, scope, d)
	}
	if errors.Is(err, data.ErrNotFound) {
		return nil, &ToolError{"Not found: " + id, "Check the ID format (sum_xxx for summaries, file_xxx for files).", NotFound}
	}
	if err != nil {
		return nil, err
	}
	return d, nil
}

// Text returns the description as the agent tool gives it.
func (d *Description) Text() string {
	if d.File != nil {
		return d.File.text(d.ID)
	}
	return d.summaryText()
}

// cap returns what costs are compared with, and where it comes from.
func (r DescribeRequest) cap() (tokens int64, source string) {
	switch left := r.Limits.Tokens; {
	case r.TokenCap != nil:
		return clamp(max(1, *r.TokenCap), left), "request"
	case left != nil:
		return max(0, *left), "delegated_grant_remaining"
	case r.DefaultCap > 0:
		return r.DefaultCap, "config_default"
	}
	return DefaultExpandTokens, "config_default"
}

// outOfScope returns the answer about what lies in another conversation.
func outOfScope(id string) error {
	return &ToolError{"Not found in this session scope: " + id, "Use allConversations=true for cross-conversation lookup.", OutOfScope}
}
