package cli

// What tests of the whole program look at.
var (
	ActionOf       = actionOf
	CheckArguments = checkArguments
	CheckFlagRules = checkFlagRules
	OwnRules       = ownRules
	ExitUsage      = exitUsage
	ExitCancelled  = exitCancelled
)

// The types of flags that no room names.
type (
	SingleValue = singleValue
	Repeatable  = repeatable
	Duration    = duration
	TimeRange   = timeRange
)

// FlagRules returns the rules of a command.
func (a *App) FlagRules(command string) []FlagRule { return a.flagRules(command) }

// Smallest returns the least number that the flag takes.
func (n *IntegerFlag) Smallest() int64 { return n.least }
