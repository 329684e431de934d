package fleet

import (
	"strconv"

	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/ops/replica"
)

// chosenFlags say which conversations sync sends.
type chosenFlags struct {
	agents, keys, exceptKeys cli.RepeatedWords
	all                      bool
}

// chosenNames are the flags that say which conversations are sent.
const chosenNames = "agent key except-key"

// bind adds the flags.
func (f *chosenFlags) bind(fs *pflag.FlagSet) {
	f.agents.Noun, f.keys.Noun, f.exceptKeys.Noun = "AGENT", "GLOB", "GLOB"
	fs.Var(&f.agents, "agent", "from now on only conversations of this agent; may be given again")
	fs.Var(&f.keys, "key", "from now on only those with a session key like this; * is anything but a colon, ** is anything")
	fs.Var(&f.exceptKeys, "except-key", "from now on none with a session key like this")
	fs.BoolVar(&f.all, "all", false, "from now on all conversations again")
}

// filter returns the filter that the flags say, or nil for that of the sync before.
func (f *chosenFlags) filter() *replica.Filter {
	if len(f.agents.Values)+len(f.keys.Values)+len(f.exceptKeys.Values) == 0 && !f.all {
		return nil
	}
	return &replica.Filter{Agents: f.agents.Values, Keys: f.keys.Values, ExceptKeys: f.exceptKeys.Values}
}

// keepFlag is a flag that is on, off, or as it was at the last time.
type keepFlag struct{ value *bool }

// String implements pflag.Value.
func (f *keepFlag) String() string {
	if f.value == nil {
		return ""
	}
	return strconv.FormatBool(*f.value)
}

// Set implements pflag.Value.
func (f *keepFlag) Set(text string) error {
	on, err := strconv.ParseBool(text)
	f.value = &on
	return err
}

// Type implements pflag.Value.
func (*keepFlag) Type() string { return "bool" }

// IsBoolFlag says that the flag stands without a value.
func (*keepFlag) IsBoolFlag() bool { return true }
