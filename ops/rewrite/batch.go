package rewrite

import (
	"lcm-tui/engine/remake"
)

// batch is one run over the picked summaries.
type batch struct {
	*remake.Batch
	op *Op
}
