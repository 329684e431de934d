package rewrite

import (
	"lcm-tui/engine/regenerate"
)

// batch is one run over the picked summaries.
type batch struct {
	*regenerate.Batch
	op *Op
}
