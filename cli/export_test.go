package cli

// What tests of the whole program look at.
var (
	ActionOf       = actionOf
	CheckArguments = checkArguments
	CheckFlagRules = checkFlagRules
	FlagRules      = flagRules
	ExitUsage      = exitUsage
	ExitCancelled  = exitCancelled
	FirstArgument  = firstArgument
	Argument       = argument
)

// The types of flags that no room names.
type (
	SingleValue = singleValue
	Repeatable  = repeatable
	Duration    = duration
	TimeRange   = timeRange
)

// Parts are the parts of a rule that tests check.
func (r flagRule) Parts() (flags, excludes, needs string, never bool) {
	return r.flags, r.excludes, r.needs, r.never
}

// Smallest is the least number that the flag takes.
func (n *IntegerFlag) Smallest() int64 { return n.least }
