package fleet

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// Health is what a check of a copy found. The large files of the database stay on its machine and aren't looked at.
type Health struct {
	File      string    `json:"file"` // The generation that was checked.
	PulledAt  time.Time `json:"pulled_at"`
	CheckedAt time.Time `json:"checked_at"`
	// Known is how many faults this program knew when it checked: one that knows others checks again.
	Known  int              `json:"known"`
	Counts integrity.Counts `json:"counts"`
	Faults []FaultCount     `json:"faults,omitempty"`  // The worst first, and of these the most frequent.
	Error  string           `json:"problem,omitempty"` // Why the copy can't be checked; empty if it was.
}

// FaultCount is how often a check found a fault.
type FaultCount struct {
	Fault    integrity.FaultID  `json:"fault"`
	Severity integrity.Severity `json:"severity"`
	Count    int                `json:"count"`
}

const (
	healthFile = "health.json"
	mostFaults = 20 // Kinds of faults that are noted.
)

// Health returns what the check of a source's newest copy found; ok is false where that copy wasn't checked yet.
func (s Store) Health(t State) (h Health, ok bool) {
	if t.Newest == nil || readState(filepath.Join(s.folder(t.Name), healthFile), &h) != nil {
		return Health{}, false
	}
	if !h.isOf(*t.Newest) || h.Known != len(integrity.Faults()) {
		return Health{}, false
	}
	return h, true
}

// isOf reports whether a check was one of this generation.
func (h Health) isOf(g Generation) bool { return h.File == g.File && h.PulledAt.Equal(g.PulledAt) }

// Check checks the newest copy of a source and notes what it found, which Health returns then. The error is that the check was
// cancelled; a copy that can't be read is a result.
func (s Store) Check(ctx context.Context, t State, report data.Report) (Health, error) {
	path, err := s.Path(t)
	if err != nil {
		return Health{}, err
	}
	h := Health{File: t.Newest.File, PulledAt: t.Newest.PulledAt, Known: len(integrity.Faults())}
	found, err := checkFile(ctx, path, report)
	if ctx.Err() != nil {
		return h, ctx.Err()
	}
	h.CheckedAt = s.Now().UTC().Truncate(time.Second)
	if err != nil {
		h.Error = data.ProblemOf(err)
		_ = os.Remove(filepath.Join(s.folder(t.Name), healthFile)) // It was readable when that was noted.
		return h, nil                                              // It isn't noted: the next look may find the reason gone.
	}
	h.Counts, h.Faults = found.Counts, countFaults(found.Findings)
	// A note that can't be written is made again by the next look.
	_ = writeState(filepath.Join(s.folder(t.Name), healthFile), h)
	return h, nil
}

func checkFile(ctx context.Context, path string, report data.Report) (found integrity.Diagnosis, err error) {
	db, err := data.Open(ctx, path)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return integrity.Check(ctx, db, integrity.Request{}, report)
}

// countFaults counts findings by their faults.
func countFaults(findings []integrity.Finding) (out []FaultCount) {
	at := map[integrity.FaultID]int{}
	for i := range findings {
		f := &findings[i]
		if _, known := at[f.Fault]; !known {
			at[f.Fault] = len(out)
			out = append(out, FaultCount{Fault: f.Fault, Severity: f.Severity})
		}
		out[at[f.Fault]].Count++
	}
	SortFaults(out)
	return out[:min(len(out), mostFaults)]
}

// SortFaults puts the worst first, and of these the most frequent.
func SortFaults(all []FaultCount) {
	slices.SortStableFunc(all, func(a, b FaultCount) int {
		if a.Severity != b.Severity {
			if a.Severity.AtLeast(b.Severity) {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.Count, a.Count)
	})
}
