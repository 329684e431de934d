package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"lcm-tui/clients"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/nearest"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// UsageError says in one line what was expected of the command line.
type UsageError struct{ Message, Next string }

// Error returns the message. Secrets among what was typed are masked: errors go into logs.
func (e *UsageError) Error() string {
	masked, _ := redact.Masker{}.Mask(e.Message)
	return masked
}

// Hint lists what there is to choose from, or is empty.
func (e *UsageError) Hint() string { return e.Next }

// isUsageError reports whether an error is about the command line.
func isUsageError(err error) bool {
	var usage *UsageError
	return errors.As(err, &usage)
}

// UsageErrorf makes the error of a command line by a format.
func UsageErrorf(format string, args ...any) error {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// DidYouMean returns the end of a message that suggests the known word that was probably meant.
func DidYouMean(word, prefix string, known []string) string {
	if n, ok := suggestion(word, known); ok {
		return "; did you mean " + prefix + n + "?"
	}
	return ""
}

// foreignCommands are commands of the host's other programs, and what does their work here.
var foreignCommands = map[string]string{
	"migrate-sessions": "lcm-tui backfill PATH imports sessions",
	"rotate":           "the host's /lossless rotate does that; lcm-tui backup copies the database",
	"clean":            "lcm-tui repair --all shows what can be put right",
	"session-end":      "lcm-tui hook claude-code answers the hooks",
	"user-prompt":      "lcm-tui hook claude-code answers the hooks",
	"daemon":           "lcm-tui needs none; lcm-tui follow imports sessions as they grow",
}

// foreignActions are actions of commands that the host's programs have, and what does their work here.
var foreignActions = map[string]string{
	"sensitive purge": "what a project has is removed by lcm-tui prune conversations --agent PROJECT --apply, which goes into the trash and can be restored",
	"config set":      "lcm-tui has no config set NAME VALUE: it never writes the host's configuration; change openclaw.json, or give --set NAME=VALUE to the command that it is for",
}

// unknownCommand says which command there is instead.
func unknownCommand(root *cobra.Command, name string) error {
	if instead, ok := foreignCommands[name]; ok {
		return UsageErrorf("there is no command %q: %s", name, instead)
	}
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			names = append(names, append(c.Aliases, c.Name())...)
		}
	}
	if p := DidYouMean(name, "", names); p != "" {
		return UsageErrorf("there is no command %q%s", name, p)
	}
	return UsageErrorf("there is no command %q; %s --help lists them", name, Program)
}

// flagError puts what the flag parser says into our words.
func flagError(cmd *cobra.Command, err error) error {
	var missing *pflag.NotExistError
	var valueless *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return err
	case errors.As(err, &missing):
		return unknownFlag(cmd, missing)
	case errors.As(err, &valueless):
		f := valueless.GetFlag()
		return UsageErrorf("--%s needs a value: %s", f.Name, f.Value.Type())
	case errors.As(err, &invalid):
		return UsageErrorf("--%s: %s", invalid.GetFlag().Name, flagCause(invalid))
	}
	return UsageErrorf("%s; see %s --help", err, cmd.CommandPath())
}

// flagCause returns why a value was refused; the parser's own words for truth values
// speak of its insides.
func flagCause(e *pflag.InvalidValueError) string {
	if e.GetFlag().Value.Type() == "bool" {
		return fmt.Sprintf("expected true or false, not %q", e.GetValue())
	}
	return e.Unwrap().Error()
}

func unknownFlag(cmd *cobra.Command, e *pflag.NotExistError) error {
	if short := e.GetSpecifiedShortnames(); short != "" {
		return unknownShortFlag(cmd, short)
	}
	name := e.GetSpecifiedName()
	for _, c := range cmd.Commands() {
		if c.Flags().Lookup(name) != nil {
			return UsageErrorf("--%s is a flag of a command, such as %s, and stands after its name", name, c.Name())
		}
	}
	if p := DidYouMean(name, "--", flagNames(cmd)); p != "" {
		return UsageErrorf("%s has no flag --%s%s", cmd.Name(), name, p)
	}
	return UsageErrorf("%s has no flag --%s; see %s --help", cmd.Name(), name, cmd.CommandPath())
}

// unknownShortFlag explains a single dash: a number below zero, or a long flag that
// misses its second dash.
func unknownShortFlag(cmd *cobra.Command, short string) error {
	name, _, _ := strings.Cut(short, "=")
	if strings.Trim(name, "0123456789") == "" {
		return UsageErrorf("expected a whole number from 1, not -%s", short)
	}
	if len(name) > 1 {
		if p := DidYouMean(name, "--", flagNames(cmd)); p != "" {
			return UsageErrorf("%s has no flag -%s%s", cmd.Name(), name, p)
		}
	}
	return UsageErrorf("%s has no flag -%s; flags have two dashes, see %s --help", cmd.Name(), name, cmd.CommandPath())
}

func flagNames(cmd *cobra.Command) (names []string) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	return names
}

// FlagValueError returns an error about the value of a flag, as one of usage.
func FlagValueError(flag string, err error) error {
	return &UsageError{Message: "--" + flag + ": " + err.Error(), Next: hint.Of(err)}
}

// suggestion returns the known word that was probably meant: one that begins with word, or that
// differs in no more than a third of its letters. Cobra suggests commands only, and doesn't
// count swapped letters as one difference.
func suggestion(word string, known []string) (string, bool) {
	word = strings.ToLower(word)
	best, least := "", max(2, len(word)/3)+1
	for _, k := range known {
		d := nearest.Distance(word, strings.ToLower(k))
		if len(word) > 1 && strings.HasPrefix(k, word) {
			d = 0
		}
		if d < least && d < len(k) {
			best, least = k, d
		}
	}
	return best, best != ""
}

// oldHooks are the commands by which clients call the hooks of lossless-claude.
var oldHooks = []string{"restore", "compact", "session-end", "user-prompt"}

// oldHookWait is how long the event of a hook is waited for.
const oldHookWait = time.Second

// oldHookError refuses a command line that a client calls as a hook of lossless-claude; else it returns nil. Its exit
// code is 1: with 2 the client would keep its user from going on.
func oldHookError(args []string, sys System) error {
	if len(args) != 1 || !slices.Contains(oldHooks, args[0]) || !isFed(sys.In) {
		return nil
	}
	event := make(chan string, 1)
	go func() {
		const most = 4 << 20
		var e struct {
			Name string `json:"hook_event_name"`
		}
		if json.NewDecoder(io.LimitReader(sys.In, most)).Decode(&e) != nil {
			e.Name = ""
		}
		event <- e.Name
	}()
	select {
	case name := <-event:
		if name != "" {
			return &hint.Error{Text: Program + " " + args[0] + " is no hook of this program; the hook is " + Program + " hook claude-code, and " + Program + " install claude-code --apply registers it"}
		}
	case <-time.After(oldHookWait):
	}
	return nil
}

// isHookCall reports whether a client calls a command line as a hook. Where a flag of it is wrong, such as one of a newer version, 2 would
// keep the client's user from going on, too.
func isHookCall(args []string) bool {
	return len(args) > 1 && args[0] == "hook" && slices.Contains(clients.All(), clients.Client(args[1]))
}

// isFed reports whether another program writes to the input: a terminal and the null device are none.
func isFed(in io.Reader) bool {
	f, ok := in.(*os.File)
	if !ok {
		return in != nil
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}
