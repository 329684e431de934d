package ops

// Item is one of the problems that a plan is about, which can be left out of it or decided
// by itself: a finding of a repair.
type Item struct {
	// ID names the item in a request: Skipper.Without, Skipper.Back and Decider.Decide take it.
	ID string `json:"id"`
	// Conversation is the one that the item is about; 0 is the file.
	Conversation int64  `json:"conversation_id"`
	Kind         string `json:"kind"`
	// Problem is what is wrong, and Action what the plan does about it, in words.
	Problem string `json:"problem"`
	Action  string `json:"action,omitempty"`
	// State says whether the plan does it. Reason is why it does not.
	State  ItemState `json:"state"`
	Reason string    `json:"reason,omitempty"`
	// Choices are the alternatives between which the user decides, the usual one first, and
	// Choice is the chosen one; both are empty where there is nothing to decide.
	Choices []Alternative `json:"choices,omitempty"`
	Choice  string        `json:"choice,omitempty"`
	// Table and Row name the row that the item is about; both are empty where it is none.
	Table string `json:"table,omitempty"`
	Row   string `json:"row,omitempty"`
	// Rows are the labels (data.Change.Label) of the changes of the rows that the item is
	// about, and Texts the ids of its texts. Rows that only follow, such as the counters of
	// summaries above it, belong to no item.
	Rows  []string `json:"rows,omitempty"`
	Texts []string `json:"texts,omitempty"`
}

// ItemState says what a plan does with an item.
type ItemState string

// The states of an item.
const (
	Included  ItemState = "included"  // The plan does it.
	Estimated ItemState = "estimated" // A model would be asked first.
	Skipped   ItemState = "skipped"   // The user leaves it as it is.
	Open      ItemState = "open"      // The plan can't do it: Reason says why.
	// NeedsModel is an item that a model has to write a text for, and none is chosen.
	NeedsModel ItemState = "needs-model"
)

// Alternative is one way to deal with an item.
type Alternative struct {
	Name  string `json:"name"`
	Words string `json:"words"` // What it does.
}

// Decider is an operation of which each item can be left out or decided by itself.
type Decider interface {
	Skipper
	// Decide is the operation in which an alternative is chosen for an item; an empty name
	// leaves the item undecided again.
	Decide(item, alternative string) Op
}

// Undecided reports whether the item waits for the user to choose an alternative.
func (i *Item) Undecided() bool { return i.State == Open && len(i.Choices) > 0 && i.Choice == "" }

// CountItems returns how many items of the plan have a state.
func (p *Plan) CountItems(state ItemState) (n int) {
	for _, i := range p.Items {
		if i.State == state {
			n++
		}
	}
	return n
}
