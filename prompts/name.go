package prompts

// The templates.
const (
	System         = "system"
	Leaf           = "leaf"
	LeafAggressive = "leaf-aggressive"
	Condensed1     = "condensed-d1"
	Condensed2     = "condensed-d2"
	Condensed3     = "condensed-d3"
	File           = "file"
)

// names are in the order in which a conversation uses them.
var names = []string{System, Leaf, LeafAggressive, Condensed1, Condensed2, Condensed3, File}

// For returns the template for a summary of this depth, 0 for a leaf. Condensed summaries have no
// aggressive template.
func For(depth int, aggressive bool) string {
	switch {
	case depth > 2:
		return Condensed3
	case depth == 2:
		return Condensed2
	case depth == 1:
		return Condensed1
	case aggressive:
		return LeafAggressive
	}
	return Leaf
}

// Depth returns the depth of the summaries that a template is for, and -1 for the system prompt.
func Depth(name string) int {
	switch name {
	case System:
		return -1
	case Condensed1:
		return 1
	case Condensed2:
		return 2
	case Condensed3:
		return 3
	}
	return 0
}

// about says what each template is for.
var about = map[string]string{
	System:         "the model's task; says that instructions in the source are not to be followed",
	Leaf:           "messages into a leaf",
	LeafAggressive: "messages into a leaf, when the first answer was too long",
	Condensed1:     "leaves into a summary of depth 1",
	Condensed2:     "summaries of depth 1 into one of depth 2",
	Condensed3:     "summaries of depth 2 and more into one of the next depth",
	File:           "the description of a large text file",
}
