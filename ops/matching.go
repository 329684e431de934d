package ops

import (
	"cmp"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/ops/prune/proof"
)

// Matching is what a query found, of a set whose messages it chose. The query isn't in the record of the set, nor in
// the trash: it says what was to be forgotten.
type Matching struct {
	Query string `json:"query"`
	// Messages are those that the set changes, by conversation and number.
	Messages []MatchedMessage `json:"messages"`
	// Kept were found too, and stay.
	Kept []proof.Kept `json:"kept"`
	// Holding are other places with the same words: they stay as they are.
	Holding []proof.Place `json:"holding"`
	More    int           `json:"more_holding,omitempty"` // How many more there are.
	// Receipt is that of the set once it is written, and ReceiptPath the file that has it.
	Receipt     *proof.Receipt `json:"receipt,omitempty"`
	ReceiptPath string         `json:"receipt_path,omitempty"`
	// Labels are what texts call the conversations, by number. They are for people alone: a name may have the words that are
	// forgotten, and so it's in no plan file and no receipt.
	Labels map[int64]string `json:"-"`
}

// Label returns what texts call a conversation: its number alone where the plan is from a file.
func (m *Matching) Label(id int64) string {
	return cmp.Or(m.Labels[id], fmt.Sprintf("conversation #%d", id))
}

// MatchedMessage is a message that a query found.
type MatchedMessage struct {
	Conversation int64     `json:"conversation_id"`
	ID           int64     `json:"message_id"`
	Seq          int64     `json:"seq"`
	Role         string    `json:"role"`
	At           data.Time `json:"created_at"`
	Bytes        int64     `json:"bytes"`  // Of its texts, those of its parts included.
	Start        string    `json:"start"`  // Its first words.
	SHA256       string    `json:"sha256"` // Of its content.
}
