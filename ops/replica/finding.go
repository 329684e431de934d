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
	return p.Full || p.isFiltered() || !p.IsEmpty() && db.Size() <= maxOftenChecked
}

// sendFindings checks the file, and puts what was found in the place of what was found before. The replica can't find it
// itself: some faults are in how the file stores its rows.
func (s *sender) sendFindings(ctx context.Context, o Options) (found int, err error) {
	diagnosis, err := integrity.Check(ctx, s.db, integrity.Request{FilesDir: o.FilesDir}, o.Report)
	if err != nil {
		return 0, err
	}
	findings, err := s.sentFindings(ctx, diagnosis.Findings)
	if err != nil {
		return 0, err
	}
	at := time.Now()
	var rows [][]any
	for _, f := range findings[:min(len(findings), maxFindings)] {
		text, err := s.findingJSON(f)
		if err != nil {
			return 0, err
		}
		var conversation *int64
		if f.Conversation != 0 {
			conversation = &f.Conversation
		}
		rows = append(rows, []any{s.source, string(f.Fault), conversation, string(f.Severity), text, at})
	}
	return len(findings), s.conn.Transact(ctx, "write to", func() error {
		if _, err := s.conn.Exec(ctx, "write to", "DELETE FROM lcm.findings WHERE source_id = $1", s.source); err != nil {
			return err
		}
		if _, err := s.conn.Copy(ctx, "findings", findingColumns, sequence(rows)); err != nil {
			return err
		}
		_, err := s.conn.Exec(ctx, "write to", "UPDATE lcm.sources SET checked_at = $2 WHERE source_id = $1", s.source, at)
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
