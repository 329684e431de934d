package change

import (
	"encoding/json"
	"path/filepath"
)

// Receipt names a trash file in the record of the prune.
type Receipt struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	// Rows are the copied rows by table.
	Rows map[string]int64 `json:"rows"`
}

// Name is the name of the file in its folder.
func (r Receipt) Name() string { return filepath.Base(r.Path) }

// ReceiptOf is the receipt in the record of a prune, and false where it has none.
func ReceiptOf(r Record) (Receipt, bool) {
	var detail struct {
		Trash *Receipt `json:"trash"`
	}
	if json.Unmarshal(r.Detail, &detail) != nil || detail.Trash == nil || detail.Trash.Path == "" {
		return Receipt{}, false
	}
	return *detail.Trash, true
}
