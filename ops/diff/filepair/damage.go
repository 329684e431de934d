package filepair

import (
	"errors"
	"slices"

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

// tolerate notes once what damage kept from being read, and returns any other error.
func (p *Pair) tolerate(err error, table string, of ConversationKey) error {
	if !isDamage(err) {
		return err
	}
	if u := (Unreadable{table, of.Before, of.After}); !slices.Contains(p.Unreadable, u) {
		p.Unreadable = append(p.Unreadable, u)
	}
	return nil
}
