package filepair

import (
	"errors"

	"lcm-tui/data"
)

// Unreadable is what damage kept from being compared.
type Unreadable struct {
	Table string `json:"table"`
	// Before and After are the conversation in each file; 0 where a file lacks it, both for the whole table.
	Before int64 `json:"before_id"`
	After  int64 `json:"after_id"`
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
