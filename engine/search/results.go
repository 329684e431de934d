package search

import (
	"slices"
	"sort"
)

// Sort is the order of hits.
type Sort string

// The orders of hits.
const (
	Newest         Sort = "newest"
	Best           Sort = "best"
	Oldest         Sort = "oldest"
	ByConversation Sort = "conversation" // Conversation by conversation, in each the newest first.
)

// Sorts are all orders of hits.
var Sorts = []Sort{Newest, Best, Oldest, ByConversation}

// MaxHits is how many hits a search keeps, and how far it counts.
const MaxHits = 10_000

// Results puts the hits of a search together as its events come: in one order, each hit once,
// and with equal texts next to each other folded into one row. It isn't safe for use by several
// goroutines at once.
type Results struct {
	sort   Sort
	hits   []*Hit // In order, unfolded. They lie in the events that brought them.
	ranked int    // How many at the start are in the order of Ranked.
	known  map[hitKey]bool
	rows   []*Hit
	folded bool // rows is up to date.
	total  int
	more   bool
}

// hitKey tells hits apart.
type hitKey struct {
	kind Kind
	id   string
}

func (h *Hit) key() hitKey {
	if h.Kind == PartKind {
		return hitKey{h.Kind, h.Part.ID + " " + h.Part.Field}
	}
	return hitKey{h.Kind, h.ID()}
}

// NewResults returns an empty list in this order.
func NewResults(s Sort) *Results {
	return &Results{sort: s, known: map[hitKey]bool{}}
}

// Add takes an event of the search, and reports whether the rows or the count changed.
func (r *Results) Add(e Event) bool {
	switch e := e.(type) {
	case Found:
		return r.insert(e.Hits)
	case Ranked:
		r.setRanked(e.Hits)
	case Counted:
		r.total, r.more = e.Total, e.More
	default:
		return false
	}
	return true
}

// Count returns how many hits there are, and whether there are more.
func (r *Results) Count() (total int, more bool) { return max(r.total, len(r.hits)), r.more }

// Rows returns the hits in order, folded. The caller must not change them.
func (r *Results) Rows() []*Hit {
	if !r.folded {
		r.rows, r.folded = foldHits(r.hits), true
	}
	return r.rows
}

// Find returns the row that stands for a hit, or -1.
func (r *Results) Find(h Hit) int {
	return slices.IndexFunc(r.Rows(), func(o *Hit) bool { return o.Is(h) })
}

// insert adds hits at their places.
func (r *Results) insert(hits []Hit) bool {
	changed := false
	for i := range hits {
		h := &hits[i]
		key := h.key()
		if r.known[key] || !r.makeRoom(h) {
			continue
		}
		r.known[key] = true
		rest := r.hits[r.ranked:]
		at := r.ranked + sort.Search(len(rest), func(i int) bool { return r.before(h, rest[i]) })
		r.hits = slices.Insert(r.hits, at, h)
		changed = true
	}
	r.folded = r.folded && !changed
	return changed
}

// makeRoom reports whether there is room for a hit. Where there are enough, it takes the place of the last one, if it stands before it.
func (r *Results) makeRoom(h *Hit) bool {
	n := len(r.hits)
	if n < MaxHits {
		return true
	}
	if n == r.ranked || !r.before(h, r.hits[n-1]) {
		return false
	}
	delete(r.known, r.hits[n-1].key())
	r.hits = r.hits[:n-1]
	return true
}

// before reports whether a stands before b in the order of the list.
func (r *Results) before(a, b *Hit) bool { return compareHits(r.sort, a, b) < 0 }

// setRanked moves the best hits to the start.
func (r *Results) setRanked(best []Hit) {
	isBest := map[hitKey]bool{}
	hits := make([]*Hit, 0, len(best)+len(r.hits))
	for i := range best {
		isBest[best[i].key()] = true
		r.known[best[i].key()] = true
		hits = append(hits, &best[i])
	}
	for _, h := range r.hits {
		if !isBest[h.key()] {
			hits = append(hits, h)
		}
	}
	r.hits = hits[:min(len(hits), MaxHits)]
	r.ranked, r.folded = min(len(best), len(r.hits)), false
}

// foldHits joins neighbours with equal texts, such as a message that was sent again. A hit that
// stands for others is a copy.
func foldHits(hits []*Hit) []*Hit {
	out := make([]*Hit, 0, len(hits))
	for i := 0; i < len(hits); {
		h, end := *hits[i], i+1
		h.Copies = max(h.Copies, 1)
		for end < len(hits) && h.Fold(hits[end]) {
			end++
		}
		if h.Copies == hits[i].Copies {
			out = append(out, hits[i])
		} else {
			out = append(out, new(h))
		}
		i = end
	}
	return out
}

// Fold makes h stand for a hit behind it as well, if both have the same text. It reports
// whether it did.
func (h *Hit) Fold(o *Hit) bool {
	if h.digest == 0 || h.digest != o.digest || h.Kind != o.Kind || h.bytes != o.bytes {
		return false
	}
	h.Copies += max(o.Copies, 1)
	return true
}
