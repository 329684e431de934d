package repair

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
)

// repairHostState repairs what a host stores about its own work.
func repairHostState(ctx context.Context, s *state) error {
	for _, fault := range []integrity.FaultID{integrity.BootstrapStateWrong, integrity.TranscriptShared, integrity.CompactionStuck, integrity.CompactionOwedByArchived, integrity.CompactionFailing, integrity.FocusBriefWrong, integrity.HostStateDangling} {
		for _, f := range s.found.of(fault) {
			if slices.Contains([]integrity.FaultID{integrity.TranscriptShared, integrity.CompactionFailing}, fault) && s.found.choice(f) == "" {
				continue
			}
			if fault == integrity.BootstrapStateWrong && f.Severity == integrity.Info {
				s.found.leave(f, "the host corrects it when it starts the next time, as long as the row is there")
				continue
			}
			if err := repairHostRow(ctx, s, f); err != nil {
				return err
			}
			s.found.markRepaired(f)
		}
	}
	return nil
}

// repairHostRow repairs the row of a finding.
func repairHostRow(ctx context.Context, s *state, f integrity.Finding) error {
	if f.Fault == integrity.FocusBriefWrong {
		return deactivateBriefs(ctx, s, f)
	}
	rows, err := data.Images(ctx, s.db, f.Table, data.Row{"conversation_id": id(f.Row)})
	for _, r := range rows {
		switch f.Fault {
		case integrity.BootstrapStateWrong, integrity.TranscriptShared: // Without the row the host stores nothing more; without the path it finds its transcript again.
			s.rows.Set(f.Table, r, data.Row{"session_file_path": ""})
		case integrity.HostStateDangling:
			s.rows.Delete(f.Table, r)
		case integrity.CompactionStuck:
			s.rows.Set(f.Table, r, data.Row{"running": int64(0), "pending": int64(1), "updated_at": s.db.FormatNow()})
		case integrity.CompactionOwedByArchived:
			s.rows.Set(f.Table, r, lcm.SettledMaintenance(s.db, r))
		case integrity.CompactionFailing:
			s.rows.Set(f.Table, r, data.Row{"retry_attempts": int64(0), "next_attempt_after": nil, "updated_at": s.db.FormatNow()})
		}
	}
	return err
}

// deactivateBriefs deactivates briefs of which a source is missing, and of several active
// ones all but the newest.
func deactivateBriefs(ctx context.Context, s *state, f integrity.Finding) error {
	all, err := lcm.FocusBriefs(ctx, s.db, s.op.Conversation)
	if err != nil {
		return err
	}
	kept := false
	for _, b := range all { // Newest first.
		if b.Status != "active" {
			continue
		}
		lost := slices.ContainsFunc(b.Sources, func(s lcm.FocusSource) bool { return s.Missing })
		if !lost && !kept {
			kept = true
			continue
		}
		rows, err := data.ImagesIn(ctx, s.db, f.Table, "brief_id", []any{b.ID}, "brief_id", "status", "updated_at")
		if err != nil {
			return err
		}
		for _, r := range rows {
			s.rows.Set(f.Table, r, data.Row{"status": "inactive", "updated_at": s.db.FormatNow()})
		}
	}
	return nil
}
