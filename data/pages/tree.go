package pages

import (
	"maps"
	"math"
)

// Hole is a stretch of a table that can't be read: the rows with an id above After
// and up to Until. Page is the damaged page, or 0 where single rows are.
type Hole struct {
	Page         uint32
	After, Until int64
}

// Walk reads the rows of the tree with this root, in the order of their ids, and
// returns its holes. Pages are marked as seen, and one that was is a hole. An error
// is visit's.
func (f *File) Walk(root uint32, seen map[uint32]bool, visit func(Row) error) ([]Hole, error) {
	w := walker{file: f, seen: seen, visit: visit}
	err := w.node(root, math.MinInt64, math.MaxInt64, 0)
	return w.holes, err
}

type walker struct {
	file  *File
	seen  map[uint32]bool
	visit func(Row) error
	holes []Hole
}

// maxDepth is more than the number of levels of any tree.
const maxDepth = 20

func (w *walker) node(n uint32, after, until int64, depth int) error {
	hole := Hole{n, after, until}
	if n == 0 || n > w.file.count || w.seen[n] || depth > maxDepth {
		w.holes = append(w.holes, hole)
		return nil
	}
	p := w.file.page(n)
	switch p.kind() {
	case leafTable:
		return w.leaf(p, hole)
	case interiorTable:
		return w.inner(p, hole, depth)
	}
	w.holes = append(w.holes, hole)
	return nil
}

// inner reads the children. A key that isn't between its neighbours is damage.
func (w *walker) inner(p page, hole Hole, depth int) error {
	children, last := p.children()
	if len(children) == 0 && (last == 0 || last > w.file.count) {
		w.holes = append(w.holes, hole)
		return nil
	}
	w.seen[p.number] = true
	after := hole.After
	for _, c := range children {
		if c.key < after || c.key > hole.Until {
			continue
		}
		if err := w.node(c.page, after, c.key, depth+1); err != nil {
			return err
		}
		after = c.key
	}
	return w.node(last, after, hole.Until, depth+1)
}

// leaf reads the rows of a page that belong there. One without any is no page of
// this tree, or no page at all, unless it's empty.
func (w *walker) leaf(p page, hole Hole) error {
	rows, holes, cellCount := w.rows(p, hole, w.seen)
	if len(rows) == 0 && cellCount > 0 {
		w.holes = append(w.holes, hole)
		return nil
	}
	w.seen[p.number] = true
	w.holes = append(w.holes, holes...)
	for _, r := range rows {
		if err := w.visit(r); err != nil {
			return err
		}
	}
	return nil
}

// rows returns those of a leaf whose ids lie within the bounds and ascend, and what is
// missing between them.
func (w *walker) rows(p page, bounds Hole, chains map[uint32]bool) (rows []Row, holes []Hole, cellCount int) {
	at, cellCount := p.cells()
	after, damaged := bounds.After, len(at) < cellCount
	for _, o := range at {
		r, known, ok := w.file.row(p, o, w.seen, chains)
		if !known || r.ID <= after || r.ID > bounds.Until {
			damaged = true
			continue
		}
		if damaged && r.ID > after+1 {
			holes = append(holes, Hole{p.number, after, r.ID - 1})
		}
		damaged, after = false, r.ID
		if ok {
			rows = append(rows, r)
		} else {
			holes = append(holes, Hole{0, r.ID - 1, r.ID})
		}
	}
	if damaged && bounds.Until > after {
		holes = append(holes, Hole{p.number, after, bounds.Until})
	}
	return rows, holes, cellCount
}

// Unreferenced calls visit with the rows of every leaf of a table that no tree led to, because
// the page that referred to it is damaged. Only the rows tell which table it is of; a leaf
// that visit accepts is marked as seen.
func (f *File) Unreferenced(seen map[uint32]bool, visit func(rows []Row) (take bool, err error)) error {
	w := walker{file: f, seen: seen}
	for n := uint32(1); n <= f.count; n++ {
		if seen[n] {
			continue
		}
		p := f.page(n)
		if p.kind() != leafTable {
			continue
		}
		chains := map[uint32]bool{n: true}
		rows, _, _ := w.rows(p, Hole{n, math.MinInt64, math.MaxInt64}, chains)
		if len(rows) == 0 {
			continue
		}
		take, err := visit(rows)
		if err != nil {
			return err
		}
		if take {
			maps.Copy(seen, chains)
		}
	}
	return nil
}
