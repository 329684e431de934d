package main

import (
	"context"
	"os/exec"
)

// countsSQL reads what `conversations` reports, each number by the fastest plain query.
const countsSQL = `
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

// compare measures the command and the sqlite3 shell, one after the other.
func compare(ctx context.Context, o options, r *results) error {
	ours, _, err := timeProcess(exec.CommandContext(ctx, o.bin, "--db", o.path, "--json", "conversations"))
	if err != nil {
		return err
	}
	r.command.add(ours)
	shell, err := exec.LookPath("sqlite3")
	if err != nil {
		return nil //nolint:nilerr // Without the shell there is nothing to compare; the table shows no samples.
	}
	theirs, _, err := timeProcess(exec.CommandContext(ctx, shell, "-readonly", o.path, countsSQL))
	if err != nil {
		return err
	}
	r.sqlite.add(theirs)
	r.ratio.samples = append(r.ratio.samples, ours.Seconds()/theirs.Seconds())
	return nil
}
