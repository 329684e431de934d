package space

import "math"

// Removal is what leaves the tables of a file: for each table how many rows are deleted, and
// how many bytes of texts leave it, as space.RowBytes counts them. Where texts become shorter
// and their rows stay, Rows is 0. A search table stands under its own name, such as
// messages_fts, with the rows and the bytes of the texts that leave it.
type Removal map[string]Amount

// Add adds what else leaves.
func (r Removal) Add(other Removal) {
	for table, a := range other {
		sum := r[table]
		sum.Add(a)
		r[table] = sum
	}
}

// Bytes returns the bytes of all texts that leave.
func (r Removal) Bytes() (n int64) {
	for _, a := range r {
		n += a.Bytes
	}
	return n
}

// Forecast is how large a file and its objects are now and will be: after the rows of a removal
// are gone, its search tables are merged, and all pages are rewritten, as VACUUM does.
type Forecast struct {
	// Before is the size of all pages in bytes, and After what it will be.
	Before, After int64
	Objects       []ObjectForecast
	// Estimated says that pages couldn't be counted: After is wrong by about 4 %.
	Estimated bool
}

// ObjectForecast is the size of an object now and afterwards, in bytes.
type ObjectForecast struct {
	Object
	Before, After int64
}

// Predict forecasts the size of a file after a removal, which may be empty.
func Predict(m *Measurement, r Removal) Forecast {
	f := Forecast{Before: m.DatabaseBytes(), Estimated: m.Estimated}
	pages := int64(0)
	for i := range m.Objects {
		o := &m.Objects[i]
		after := o.Pages()
		if !m.IsServer {
			after = pagesAfter(m, o, r)
		}
		pages += after
		f.Objects = append(f.Objects, ObjectForecast{Object: *o, Before: o.Pages() * m.PageSize, After: after * m.PageSize})
	}
	if m.AutoVacuum != 0 {
		pages += pages/(m.PageSize/5+1) + 1 // Pages that point from each page to its parent.
	}
	f.After = pages * m.PageSize
	return f
}

// pagesAfter returns how many pages an object will have.
func pagesAfter(m *Measurement, o *Object, r Removal) int64 {
	stays := 1 - shareRemoved(m, o, r)
	packed, overflow := packedPages(m, o)
	leaves, overflow := math.Ceil(packed*stays), math.Ceil(overflow*stays)
	return int64(math.Max(1, leaves)+overflow) + internalPages(m, o, leaves)
}

// smallCell is the size in bytes up to which the cells of a leaf are packed closely when they
// are rewritten.
const smallCell = 400

// packedPages returns how many leaves the rows of an object fill when they are rewritten, and the pages
// of what doesn't fit into them. A leaf is full when the next cell doesn't fit in, which leaves
// half a cell unused on average. Large cells stay as they are where nobody measured how they are
// packed.
func packedPages(m *Measurement, o *Object) (leaves, overflow float64) {
	leaves, overflow = float64(o.Leaf.Count), float64(o.Overflow.Count)
	if o.PackedLeaves > 0 {
		return float64(o.PackedLeaves), float64(o.PackedOverflow)
	}
	if o.Leaf.Cells == 0 || o.Name == SchemaTable { // Whose rows are in another order afterwards.
		return leaves, overflow
	}
	room := float64(m.PageSize - m.Reserved - leafPageHeader)
	used := room*leaves - float64(o.Leaf.Unused)
	cell := used / float64(o.Leaf.Cells)
	switch {
	case o.Internal.Payload > 0: // Behind each leaf a row stands in an internal page.
		leaves = cell * float64(o.Rows()) / (room + cell/2)
	case cell < smallCell:
		leaves = used / (room - cell/2)
	}
	return leaves, overflow
}

const (
	leafPageHeader = 8  // Bytes at the beginning of a leaf.
	internalHeader = 12 // Bytes at the beginning of an internal page.
)

// internalPages returns how many pages lead to so many leaves.
func internalPages(m *Measurement, o *Object, leaves float64) int64 {
	if o.Internal.Cells == 0 || leaves <= 1 {
		return 0
	}
	room := float64(m.PageSize - m.Reserved - internalHeader)
	cell := (room*float64(o.Internal.Count) - float64(o.Internal.Unused)) / float64(o.Internal.Cells)
	fanOut := math.Max(2, math.Floor(room/cell)+1)
	total := 0.0
	for leaves > 1 {
		leaves = math.Ceil(leaves / fanOut)
		total += leaves
	}
	return int64(total)
}

// shareRemoved returns the share of an object that leaves with a removal, from 0 to 1: of texts by
// their bytes, of an index by its rows.
func shareRemoved(m *Measurement, o *Object, r Removal) float64 {
	removed, all := r[o.Table], m.Rows[o.Table]
	if o.Kind == Index {
		return share(removed.Rows, all.Rows)
	}
	if all.Bytes == 0 {
		return share(removed.Rows, all.Rows)
	}
	return share(removed.Bytes, all.Bytes)
}

func share(part, all int64) float64 {
	if all <= 0 {
		return 0
	}
	return math.Min(1, float64(part)/float64(all))
}
