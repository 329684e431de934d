package data

import (
	"encoding/json"
)

// Batch is one write: what it is called, what it changes, and what must hold.
type Batch struct {
	Op, Title string
	Detail    json.RawMessage
	Changes   []Change
	Guards    []Guard
	// Forgets allows that messages can no longer be reached from the context.
	Forgets bool
	// Leaves are the messages of which it is allowed even so.
	Leaves []int64
	// Away are the conversations whose items get other ordinals, or come between others:
	// the batch is refused with a HostError unless their host is away. Force takes that
	// risk.
	Away  []int64
	Force bool
	// FirstMessage is the first number of the messages that are new in the batch: they
	// get others where these are taken when it is written. 0 for none.
	FirstMessage int64
	// Sources are what its new texts were made of: it is stale when one has changed.
	Sources []SourceText
	// Bulk records of rows that are inserted only their keys and digests. That is
	// enough to take them back, and for a transcript's rows, which stand in the
	// transcript anyway, half of what is written.
	Bulk bool
	// Rebuild names search tables that are made anew from the rows. Undo doesn't bring
	// the old ones back: they hold nothing of their own, and are kept in step with the
	// rows that it restores.
	Rebuild []string
	// Redoes is the undone record whose changes it makes again; 0 is none.
	Redoes int64
}

// Outcome is what became of a batch.
type Outcome struct {
	Record   int64 // The id of its record.
	Appended int   // Items that a host had appended to its contexts, which stay behind.
	Pending  int64 // Batches of background summaries that were given up for it.
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
