package backfill

import "hash/maphash"

// known are ids that are taken, of each only a hash: there may be millions.
type known struct {
	seed maphash.Seed
	ids  map[uint64]struct{}
}

func newKnown() known { return known{maphash.MakeSeed(), map[uint64]struct{}{}} }

func (k known) add(id string) {
	if id != "" {
		k.ids[maphash.String(k.seed, id)] = struct{}{}
	}
}

func (k known) has(id string) bool {
	_, ok := k.ids[maphash.String(k.seed, id)]
	return ok && id != ""
}
