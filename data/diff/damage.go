package diff

import (
	"errors"

	"lcm-tui/data"
)

// Unreadable is what damage kept from being compared.
type Unreadable struct {
	Table         string `json:"table"`
	Before, After int64  // The conversation in each file; 0 where the file has it not, or for the whole table.
}

// isDamage reports whether a read failed because a file is damaged.
func isDamage(err error) bool { return errors.Is(err, data.ErrDamaged) }

// tolerate notes what damage kept from being read, and returns any other error.
func (p *Pair) tolerate(err error, table string, of ConversationKey) error {
	if !isDamage(err) {
		return err
	}
	p.Unreadable = append(p.Unreadable, Unreadable{table, of.Before, of.After})
	return nil
}
