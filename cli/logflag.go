package cli

import (
	"log/slog"

	"github.com/spf13/pflag"

	"lcm-tui/internal/eventlog"
)

// LogFlag is the flag that names a log file. Every process that works while nobody watches has it.
type LogFlag struct{ path TextFlag }

// Bind adds the flag.
func (l *LogFlag) Bind(fs *pflag.FlagSet) {
	l.path.Noun = "FILE"
	fs.Var(&l.path, "log-file", "write each event as a line of JSON into this file; at 10 MB it begins again, and the two before it are kept")
}

// IsSet reports whether a file is named.
func (l *LogFlag) IsSet() bool { return l.path.Value != "" }

// Open opens the log: the file that is named, where every event goes, or else the error output, where only those go that
// are as bad as least: as text on a terminal, else as JSON.
func (l *LogFlag) Open(c *Invocation, least slog.Level) (log *slog.Logger, done func(), err error) {
	switch {
	case !l.IsSet() && IsTerminal(c.Sys.Err):
		return slog.New(slog.NewTextHandler(c.Sys.Err, &slog.HandlerOptions{Level: least})), func() {}, nil
	case !l.IsSet():
		return eventlog.New(c.Sys.Err, least), func() {}, nil
	}
	path, err := CheckedPath(c.ClosedDestinations(), l.path.Value)
	if err != nil {
		return nil, nil, err
	}
	f, err := eventlog.Open(path, eventlog.MaxBytes, eventlog.MaxFiles)
	if err != nil {
		return nil, nil, err
	}
	return eventlog.New(f, slog.LevelInfo), func() { _ = f.Close() }, nil
}
