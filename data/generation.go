package data

// The generations of the format. Hosts of the second prepare summaries in the background, and
// ask their own host for a session instead of reading its file.
const (
	GenerationZero = "0.x"
	GenerationOne  = "1.0 beta"
)

// generationOneTables are the tables by which a file of the second generation is known. It has
// no other sign.
var generationOneTables = []string{
	pendingBatches, pendingNodes, pendingMessages, pendingChildren, anchorTrustTable, epochTable, turnTable,
}

// generation is the generation of the file, and those of its tables that it lacks.
func (s *Schema) generation() (name string, missing []string) {
	for _, t := range generationOneTables {
		if !s.Has(t) {
			missing = append(missing, t)
		}
	}
	if len(missing) == len(generationOneTables) {
		return GenerationZero, nil
	}
	return GenerationOne, missing
}

// isUpgraded reports whether a file of the second generation was one of the first: it has a table
// that hosts of the second don't make.
func (s *Schema) isUpgraded() bool { return s.Has(bootstrapTable) }
