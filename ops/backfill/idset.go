package backfill

import "hash/maphash"

// idSet is a set of ids. It keeps only a hash of each, since there may be millions.
type idSet struct {
	seed maphash.Seed
	ids  map[uint64]struct{}
}

// newIDSet returns an empty set, with a seed of its own.
func newIDSet() idSet { return idSet{maphash.MakeSeed(), map[uint64]struct{}{}} }

// add adds an id; an empty one is none.
func (k idSet) add(id string) {
	if id != "" {
		k.ids[maphash.String(k.seed, id)] = struct{}{}
	}
}

// has reports whether an id was added.
func (k idSet) has(id string) bool {
	_, ok := k.ids[maphash.String(k.seed, id)]
	return ok && id != ""
}
