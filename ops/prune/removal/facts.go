package removal

import (
	"context"
	"math"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Facts are what decides whether and how a conversation may be pruned.
type Facts struct {
	lcm.Conversation
	Known      bool // The file says whether it is active.
	Messages   int64
	MaxSeq     int64
	Newest     data.Time // Of its newest message; not valid where none has a time.
	Tracked    bool      // The host has noted which transcript it follows.
	Transcript string
	Compacting bool
	One        bool // The file is of the 1.0 generation.
}

const factsSQL = `SELECT conversation_id, count(*), max(seq), max(julianday(created_at)) FROM messages GROUP BY conversation_id`

// ReadFacts reads the facts of all conversations, in the order of their ids.
func ReadFacts(ctx context.Context, db *data.DB) ([]Facts, error) {
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return nil, err
	}
	out, at := make([]Facts, len(all)), map[int64]*Facts{}
	known := db.Schema().Has("conversations", "active")
	for i, c := range all {
		f := &out[len(all)-1-i]
		f.Conversation, f.Known, f.Newest, f.One = c, known, data.Time{Null: true}, db.Kind().Generation == data.GenerationOne
		at[c.ID] = f
	}
	none := &Facts{}
	find := func(id int64) *Facts {
		if f := at[id]; f != nil {
			return f
		}
		return none // Of a row whose conversation is missing.
	}
	err = db.EachRow(ctx, "read messages", factsSQL, nil, func(scan data.RowScanner) error {
		var id, n, seq data.Integer
		var day *float64
		err := scan(&id, &n, &seq, &day)
		f := find(int64(id))
		f.Messages, f.MaxSeq = int64(n), int64(seq)
		if day != nil {
			f.Newest = julianTime(*day)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	tracked, err := lcm.Bootstraps(ctx, db)
	if err != nil {
		return nil, err
	}
	for id, b := range tracked {
		f := find(id)
		f.Tracked, f.Transcript = true, b.Path
	}
	const running = "conversation_compaction_maintenance"
	if !db.Schema().Has(running, "running") {
		return out, nil
	}
	err = db.EachRow(ctx, "read maintenance", "SELECT conversation_id FROM "+running+" WHERE running = 1", nil, func(scan data.RowScanner) error {
		var id data.Integer
		err := scan(&id)
		find(int64(id)).Compacting = true
		return err
	})
	return out, err
}

// julianTime returns a Julian day as a time.
func julianTime(day float64) data.Time {
	const epoch = 2440587.5 // 1970-01-01 00:00:00.
	t := time.UnixMilli(int64(math.Round((day - epoch) * 86_400_000))).UTC()
	return data.Time{Time: t, Raw: data.FormatTime(t)}
}
