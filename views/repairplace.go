package views

import "lcm-tui/engine/integrity"

// repairPlace is where the user pressed R: what a repair can be about from there.
type repairPlace struct {
	conversation int64               // 0 is the file.
	summary      string              // Empty where R wasn't pressed on a summary.
	finding      *integrity.Finding  // Nil where R wasn't pressed on a finding.
	faults       []integrity.FaultID // The faults of a row of the health screen, or of a context.
	faultsName   string              // What they are called.
	found        []integrity.Finding // What a check found; nil where none was made.
	wholeFile    bool                // found is of the whole file.
}
