package replica

import (
	"crypto/sha256"
	"encoding/binary"
	"math"

	"lcm-tui/data"
)

// digest is the sum of the digests of rows, so it doesn't depend on their order. The zero value is of no rows.
type digest struct{ high, low uint64 }

// add returns the digest of the rows of both.
func (d digest) add(o digest) digest { return digest{d.high + o.high, d.low + o.low} }

// bytes returns the digest as the server keeps it.
func (d digest) bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, d.high), d.low)
}

// digestFrom returns the digest that bytes returned. Others are of no rows.
func digestFrom(b []byte) digest {
	if len(b) != 16 {
		return digest{}
	}
	return digest{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// rowHasher makes the digests of rows. It must not be used by two goroutines at once.
type rowHasher struct{ buffer []byte }

// begin begins a row of a table.
func (h *rowHasher) begin(table string) {
	h.buffer = append(append(h.buffer[:0], table...), 0)
}

// cell adds a cell. NULL adds nothing: a column that a migration adds leaves the digests of old rows as they are.
func (h *rowHasher) cell(column string, cell any) {
	if cell == nil {
		return
	}
	h.buffer = append(append(h.buffer, column...), 0)
	switch v := cell.(type) {
	case int64:
		h.buffer = binary.BigEndian.AppendUint64(append(h.buffer, 'i'), uint64(v))
	case float64:
		h.buffer = binary.BigEndian.AppendUint64(append(h.buffer, 'r'), math.Float64bits(v))
	case []byte:
		h.buffer = append(binary.BigEndian.AppendUint64(append(h.buffer, 'b'), uint64(len(v))), v...)
	default:
		text := data.CellText(v)
		h.buffer = append(binary.BigEndian.AppendUint64(append(h.buffer, 't'), uint64(len(text))), text...)
	}
}

// row returns the digest of the cells of a row.
func (h *rowHasher) row(t *tableShape, cells []any) digest {
	h.begin(t.name)
	for i, c := range t.columns {
		h.cell(c, cells[i])
	}
	return h.end()
}

// end returns the digest of the row.
func (h *rowHasher) end() digest {
	sum := sha256.Sum256(h.buffer)
	return digestFrom(sum[:16])
}
