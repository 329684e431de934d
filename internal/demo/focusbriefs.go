package demo

import (
	"time"

	"lcm-tui/internal/fakehost"
)

// focusBriefs writes the focus briefs of the project: the one in force and the one before.
func (d *demo) focusBriefs(conv int64) {
	var seq int64
	var covered string
	if d.err == nil {
		d.err = d.Read([]any{&seq, &covered}, `SELECT MAX(m.seq), MAX(m.created_at) FROM messages m JOIN summary_messages USING (message_id) WHERE m.conversation_id = ?`, conv)
	}
	top := d.inContext(conv, 1)
	if d.err != nil {
		return
	}
	at, err := time.Parse(fakehost.Seconds, covered)
	if err != nil {
		d.err = err
		return
	}
	key := "agent:main:main"
	_, d.err = d.FocusBrief(fakehost.FocusBrief{
		Conversation: conv, SessionKey: key, Status: "superseded", Target: 600, CoveredSeq: seq / 2, CoveredAt: at.AddDate(0, 0, -14),
		Prompt: "the tenant migration and what can still go wrong", Sources: top[:1], At: d.now.AddDate(0, 0, -14), Superseded: d.now.AddDate(0, 0, -3),
		Content: "# Tenant migration\n\nThe column is being filled in batches of 5,000 while replica lag is below two seconds. Nothing reads it yet. " +
			"The partner launch needs it; nobody drops anything before 4.19.",
	})
	if d.err == nil {
		_, d.err = d.FocusBrief(fakehost.FocusBrief{
			Conversation: conv, SessionKey: key, Status: "active", Target: 800, CoveredSeq: seq, CoveredAt: at,
			Prompt: "what must not be forgotten before the season opens", Sources: top, At: d.now.AddDate(0, 0, -3),
			Content: "# Before the season opens\n\n- Promotion is **by digest only** (TW-412); a release that stops using a column never drops it.\n" +
				"- Backfills stop while replica lag is above two seconds (TW-388).\n- Mails carry an idempotency key (TW-431), webhooks are stored before they are answered (TW-467).\n" +
				"- Payments and checkout page at once, everything else after five minutes (OPS-58).\n- Still open: the drill of the restore, and rounding for Danish routes.",
		})
	}
}

// inContext lists the summaries of a context from a depth upwards.
func (d *demo) inContext(conv int64, depth int) (ids []string) {
	for i := 0; d.err == nil; i++ {
		var id string
		err := d.Read([]any{&id}, `SELECT COALESCE((SELECT s.summary_id FROM context_items c JOIN summaries s USING (summary_id)
			WHERE c.conversation_id = ? AND s.depth >= ? ORDER BY c.ordinal LIMIT 1 OFFSET ?), '')`, conv, depth, i)
		if d.err = err; id == "" {
			break
		}
		ids = append(ids, id)
	}
	return ids
}

// telemetry writes what the engine remembers of a conversation's model calls.
func (d *demo) telemetry(conv int64, state, band string) {
	if d.err != nil {
		return
	}
	last := d.Clock.Format(fakehost.Millis)
	d.err = d.Row("conversation_compaction_telemetry", map[string]any{
		"conversation_id": conv, "cache_state": state,
		"last_observed_cache_read": 18_000 + conv*1_700, "last_observed_cache_write": 900 + conv*40,
		"last_observed_prompt_token_count": 19_500 + conv*1_750, "last_observed_cache_hit_at": last,
		"last_leaf_compaction_at": last, "turns_since_leaf_compaction": conv % 4,
		"tokens_accumulated_since_leaf_compaction": conv * 310, "last_activity_band": band, "last_api_call_at": last,
		"last_cache_touch_at": last, "retention": "5m", "provider": "anthropic", "model": "claude-opus-4-5", "updated_at": d.Clock.Format(fakehost.Seconds),
	})
}
