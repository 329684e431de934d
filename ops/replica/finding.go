package replica

import (
	"context"
	"encoding/json"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

const (
	// maxOftenChecked is the size in bytes of the largest file that is checked at each sync that changed something. Larger
	// ones are checked when every byte is compared.
	maxOftenChecked = 64 << 20
	// maxFindings is how many findings of a file are sent.
	maxFindings = 10_000
)

// findingColumns are the columns of findings.
var findingColumns = []string{"source_id", "fault", "conversation_id", "severity", "finding", "found_at"}

// checks reports whether the file is checked for faults with a sync.
func (p *Plan) checks(db *data.DB) bool {
	return p.Full || p.isFiltered() || p.again || !p.IsEmpty() && db.Size() <= maxOftenChecked
}

// check checks the file, and puts what was found in the place of what was found before. The replica can't find it
// itself: some faults are in how the file stores its rows. Only then every byte is noted as compared, so that the next sync
// checks where this one ends early.
func (s *sender) check(ctx context.Context, p *Plan, o Options) error {
	diagnosis, err := integrity.Check(ctx, s.db, integrity.Request{FilesDir: o.FilesDir}, o.Report)
	if err != nil {
		return err
	}
	findings, err := s.sentFindings(ctx, diagnosis.Findings)
	if err != nil {
		return err
	}
	s.sent.Findings = len(findings)
	at := time.Now()
	var rows [][]any
	for _, f := range findings[:min(len(findings), maxFindings)] {
		text, err := s.findingJSON(f)
		if err != nil {
			return err
		}
		var conversation *int64
		if f.Conversation != 0 {
			conversation = &f.Conversation
		}
		rows = append(rows, []any{s.source, string(f.Fault), conversation, string(f.Severity), text, at})
	}
	return s.conn.Transact(ctx, "write to", func() error {
		if _, err := s.conn.Exec(ctx, "write to", "DELETE FROM lcm.findings WHERE source_id = $1", s.source); err != nil {
			return err
		}
		if _, err := s.conn.Copy(ctx, "findings", findingColumns, sequence(rows)); err != nil {
			return err
		}
		const query = "UPDATE lcm.sources SET checked_at = $2, compared_at = CASE WHEN $3 THEN now() ELSE compared_at END WHERE source_id = $1"
		_, err := s.conn.Exec(ctx, "write to", query, s.source, at, p.Full)
		return err
	})
}

// sentFindings returns the findings that are sent: with a filter, those of the conversations that are, and those of the file as a whole
// without their words.
func (s *sender) sentFindings(ctx context.Context, all []integrity.Finding) (out []integrity.Finding, err error) {
	var chosen chosen
	err = s.db.Snapshot(ctx, "read conversations", func(t *data.Tx) (err error) {
		chosen, err = s.extent.filter.choose(ctx, t)
		return err
	})
	if chosen == nil {
		return all, err
	}
	for _, f := range all {
		if f.Conversation == 0 {
			f.Detail = ""
		} else if !chosen[f.Conversation] {
			continue
		}
		out = append(out, f)
	}
	return out, err
}

// findingJSON returns a finding as doctor --json prints it, without its secrets. At the level of metrics it has no texts.
func (s *sender) findingJSON(f integrity.Finding) (string, error) {
	if s.extent.level == LevelMetrics {
		return "{}", nil
	}
	text, err := json.Marshal(f)
	if err != nil || s.extent.mask == nil {
		return safeJSON(text), err
	}
	if masked := s.extent.mask(string(text)); json.Valid([]byte(masked)) {
		return safeJSON([]byte(masked)), nil
	}
	f.Detail = ""
	text, err = json.Marshal(f)
	return safeJSON(text), err
}
