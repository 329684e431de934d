package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// singleValue refuses a second value of a flag that keeps only one: the parser would drop
// the first one silently.
type singleValue struct {
	pflag.Value
	value string
	set   bool
}

// Set implements pflag.Value. A switch may be given again as it was.
func (o *singleValue) Set(s string) error {
	if o.set && (o.Type() != "bool" || o.value != s) {
		return fmt.Errorf("given twice, as %q and %q; it takes one value", o.value, s)
	}
	o.value, o.set = s, true
	return o.Value.Set(s)
}

// repeatable is a flag value that may be given several times.
type repeatable interface{ repeats() }

// refuseRepeats makes all flags of a command and its children that keep one value refuse
// a second one.
func refuseRepeats(cmd *cobra.Command) {
	wrapFlags(cmd, func(f *pflag.Flag) {
		_, several := f.Value.(repeatable)
		if _, wrapped := f.Value.(*singleValue); !several && !wrapped {
			f.Value = &singleValue{Value: f.Value}
		}
	})
}

// wrapFlags calls wrap with all flags of a command and its children.
func wrapFlags(cmd *cobra.Command, wrap func(*pflag.Flag)) {
	cmd.Flags().VisitAll(wrap)
	cmd.PersistentFlags().VisitAll(wrap)
	for _, c := range cmd.Commands() {
		wrapFlags(c, wrap)
	}
}

// parsedTwice takes each value once: cobra parses the flags of a command line twice where a
// shell asks for completions.
type parsedTwice struct {
	pflag.Value
	parsed []string
}

// Set implements pflag.Value.
func (o *parsedTwice) Set(s string) error {
	if slices.Contains(o.parsed, s) {
		return nil
	}
	o.parsed = append(o.parsed, s)
	return o.Value.Set(s)
}

// acceptRepeats makes all flags of a command and its children take each value once.
func acceptRepeats(cmd *cobra.Command) {
	wrapFlags(cmd, func(f *pflag.Flag) {
		if _, wrapped := f.Value.(*parsedTwice); !wrapped {
			f.Value = &parsedTwice{Value: f.Value}
		}
	})
}
