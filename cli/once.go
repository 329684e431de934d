package cli

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// once refuses a second value of a flag that keeps only one: the parser would forget
// the first without a word.
type once struct {
	pflag.Value
	value string
	set   bool
}

// Set implements pflag.Value. A switch may be given again as it was.
func (o *once) Set(s string) error {
	if o.set && (o.Type() != "bool" || o.value != s) {
		return fmt.Errorf("given twice, as %q and %q; it takes one value", o.value, s)
	}
	o.value, o.set = s, true
	return o.Value.Set(s)
}

// repeatable is a flag value that may be given several times.
type repeatable interface{ repeats() }

// guardRepeats guards all flags of a command and its children that keep one value.
func guardRepeats(cmd *cobra.Command) {
	guard := func(f *pflag.Flag) {
		if _, several := f.Value.(repeatable); !several {
			f.Value = &once{Value: f.Value}
		}
	}
	cmd.LocalNonPersistentFlags().VisitAll(guard)
	cmd.PersistentFlags().VisitAll(guard)
	for _, c := range cmd.Commands() {
		guardRepeats(c)
	}
}
