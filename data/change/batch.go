package change

import (
	"encoding/json"

	"lcm-tui/data/lcm"
)

// Batch is one write: what it is called, what it changes, and what must hold.
type Batch struct {
	Op, Title string
	Detail    json.RawMessage
	Changes   []Change
	Guards    []Guard
	// Forgets allows that messages can no longer be reached from the context.
	Forgets bool
	// Leaves are the only messages for which that is allowed where Forgets isn't set.
	Leaves []int64
	// FirstMessage is the first number of the messages that are new in the batch: they
	// get others where these are taken when it is written. 0 for none.
	FirstMessage int64
	// Sources are what its new texts were made of: it is stale when one has changed.
	Sources []lcm.SourceText
	// Bulk records only the keys and digests of inserted rows. That is enough to undo the
	// insert and halves what an import writes, whose rows are in the session file anyway.
	Bulk bool
	// Rebuild names search tables that are rebuilt from the rows. Undo doesn't restore the
	// old ones: they have no data of their own, and follow the rows that it restores.
	Rebuild []string
	// Redoes is the undone record whose changes it makes again; 0 is none.
	Redoes int64
}

// Outcome is the result of writing a batch.
type Outcome struct {
	Record   int64 // The id of its record.
	Appended int   // Items that a host had appended to its contexts; they stay at the end.

	StaleBatches   int64 // Pending batches that the write made stale.
	DeletedBatches int64 // Pending batches that it deleted.
}

// encode is the changes as they're recorded.
func (b Batch) encode() ([]byte, error) {
	cs := b.Changes
	if b.Bulk {
		var err error
		if cs, err = digestInserts(cs); err != nil {
			return nil, err
		}
	}
	return json.Marshal(cs)
}
