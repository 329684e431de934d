package fakehost

import (
	"fmt"
	"time"
)

// Config is what of the host's settings its writes depend on.
type Config struct {
	FreshTailCount     int // Newest messages that are never compacted.
	FreshTailMaxTokens int // What they may come to at most; 0 is no limit.
	LeafChunkTokens    int // How much one leaf summarises.
	CondensedTarget    int // Tokens of a condensed summary: less isn't worth condensing.
	// How many summaries of one depth are condensed at least: leaves, condensed ones,
	// and either where the context is too large.
	LeafMinFanout, CondensedMinFanout, HardMinFanout int
	RetainDepth                                      int // /new keeps summaries of this depth and above; -1 keeps all.
}

// Defaults returns the settings of a host that nobody has configured.
func Defaults() Config {
	return Config{
		FreshTailCount: 64, LeafChunkTokens: 20_000, CondensedTarget: 2000,
		LeafMinFanout: 8, CondensedMinFanout: 4, HardMinFanout: 2, RetainDepth: 2,
	}
}

// Host is a host process that has an lcm.db open; it is not safe for concurrent use,
// as the host itself runs in one thread.
type Host struct {
	*Writer
	Config Config
	frozen map[int64]bool // Conversations that the host stores nothing in any more.
}

// Start starts a host on an existing file.
func Start(path string, c Config) (*Host, error) {
	w, err := Open(path)
	if err != nil {
		return nil, fmt.Errorf("start host: %w", err)
	}
	return &Host{Writer: w, Config: c, frozen: map[int64]bool{}}, nil
}

// item is a place of a context.
type item struct {
	ordinal int64
	message int64  // 0 for a summary.
	summary string // Empty for a message.
	role    string // Of the message.
	depth   int    // Of the summary; -1 where the row is missing.
	tokens  int    // 0 where the row is missing.
}

// senderLabel is the label with which the host counts who sent a message.
const senderLabel = "speaker (untrusted metadata): "

// context returns a conversation's context by ordinal.
func (h *Host) context(conv int64) (out []item, err error) {
	sender := "''"
	if h.Has("messages", "openclaw_sender_metadata") {
		sender = "CASE WHEN m.role = 'user' THEN coalesce(trim(m.openclaw_sender_metadata), '') ELSE '' END"
	}
	query := `SELECT ci.ordinal, coalesce(ci.message_id, 0), coalesce(ci.summary_id, ''), coalesce(m.role, ''), coalesce(s.depth, -1),
		CASE WHEN ci.message_id IS NULL THEN coalesce(s.token_count, 0) ELSE coalesce(m.token_count, 0) END,
		CASE WHEN m.token_count > 0 THEN '' ELSE coalesce(m.content, '') END, ` + sender + `
		FROM context_items ci LEFT JOIN messages m ON m.message_id = ci.message_id LEFT JOIN summaries s ON s.summary_id = ci.summary_id
		WHERE ci.conversation_id = ? ORDER BY ci.ordinal`
	err = h.Each(query, []any{conv}, func(scan func(...any) error) error {
		var i item
		var uncounted, by string
		err := scan(&i.ordinal, &i.message, &i.summary, &i.role, &i.depth, &i.tokens, &uncounted, &by)
		i.tokens += Estimate(uncounted)
		if by != "" {
			i.tokens += Estimate(senderLabel + by)
		}
		out = append(out, i)
		return err
	})
	return out, err
}

// Append stores the messages of a turn one by one, each at the end of the context, and
// returns their numbers. A message that the host knows by its transcript entry or by its
// stable event key is left out.
func (h *Host) Append(conv int64, turn ...Message) (ids []int64, err error) {
	if h.frozen[conv] {
		return nil, nil
	}
	err = h.Tx(func(*Writer) error {
		for _, m := range turn {
			known, err := h.known(conv, m)
			if err != nil || known {
				if err != nil {
					return err
				}
				continue
			}
			if m.At.IsZero() {
				m.At = time.Now()
			}
			id, err := h.Message(conv, m)
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}
