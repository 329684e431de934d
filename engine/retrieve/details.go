package retrieve

// The details of a tool's answer are what the reference engine gives programs beside the text: the
// description without the texts.

// Details returns the details of a description.
func (d *Description) Details() any {
	out := struct {
		ID       string          `json:"id"`
		Type     string          `json:"type"`
		Summary  *summaryDetails `json:"summary,omitempty"`
		File     *fileDetails    `json:"file,omitempty"`
		Manifest *Manifest       `json:"manifest,omitempty"`
	}{ID: d.ID, Type: d.Type, Manifest: d.Manifest}
	if d.Summary != nil {
		out.Summary = &summaryDetails{SummaryDescription: *d.Summary}
	}
	if d.File != nil {
		out.File = &fileDetails{FileDescription: *d.File, HasExploration: d.File.Exploration != nil}
	}
	return out
}

// summaryDetails are a summary without its text and its subtree, which the manifest has.
type summaryDetails struct {
	SummaryDescription
	Content *struct{} `json:"content,omitempty"`
	Subtree *struct{} `json:"subtree,omitempty"`
}

// fileDetails are a file without its texts.
type fileDetails struct {
	FileDescription
	Exploration    *struct{} `json:"explorationSummary,omitempty"`
	HasExploration bool      `json:"hasExplorationSummary"`
}

// expandDetails are the counts of an expansion.
type expandDetails struct {
	Count     int      `json:"expansionCount"`
	CitedIDs  []string `json:"citedIds"`
	Tokens    int64    `json:"totalTokens"`
	Truncated bool     `json:"truncated"`
}

// Details returns the details of expansions, without those of the routing.
func (e *Expansions) Details() any {
	return expandDetails{len(e.Expansions), e.CitedIDs, e.Tokens, e.Truncated}
}
