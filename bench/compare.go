package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// counts is how one would ask SQLite itself for what `conversations` tells, each
// number by the fastest plain query for it.
const counts = `
SELECT conversation_id, session_id, session_key, title, active, created_at FROM conversations;
SELECT conversation_id, count(*) FROM messages GROUP BY conversation_id;
SELECT conversation_id, depth, count(*) FROM summaries GROUP BY conversation_id, depth;
SELECT ci.conversation_id, count(*), sum(coalesce(m.token_count, s.token_count, 0)) FROM context_items ci
  LEFT JOIN messages m ON m.message_id = ci.message_id LEFT JOIN summaries s ON s.summary_id = ci.summary_id
  GROUP BY ci.conversation_id;
SELECT conversation_id, count(*) FROM large_files GROUP BY conversation_id;
SELECT m.conversation_id, m.created_at FROM (SELECT conversation_id, max(seq) AS seq FROM messages GROUP BY conversation_id) l
  JOIN messages m ON m.conversation_id = l.conversation_id AND m.seq = l.seq;
`

// compare runs the command and sqlite3 one after the other.
func compare(ctx context.Context, o options, r *results) error {
	ours, err := timed(exec.CommandContext(ctx, o.bin, "--db", o.path, "--json", "conversations"))
	if err != nil {
		return err
	}
	r.command.add(ours)
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		return nil //nolint:nilerr // without it there is nothing to compare with, and the table says so
	}
	theirs, err := timed(exec.CommandContext(ctx, shell, "-readonly", o.path, counts))
	if err != nil {
		return err
	}
	r.sqlite.add(theirs)
	r.versus.samples = append(r.versus.samples, ours.Seconds()/theirs.Seconds())
	return nil
}

// timed runs a whole process, whose output is read and dropped.
func timed(cmd *exec.Cmd) (time.Duration, error) {
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	from := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, fmt.Errorf("run %s: %w: %s", cmd.Path, err, complaint.Bytes())
	}
	took := time.Since(from)
	if out.Len() == 0 {
		return 0, fmt.Errorf("run %s: %w", cmd.Path, errors.New("it printed nothing"))
	}
	return took, nil
}
