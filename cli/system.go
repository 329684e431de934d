package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/redact"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/secrets"
	"lcm-tui/views"
)

// System is what the program knows of the world around it.
type System struct {
	In       io.Reader
	Out, Err io.Writer
	// Env reads an environment variable, like os.Getenv.
	Env func(string) string
	// Environ lists all variables as NAME=value, like os.Environ; nil is not known.
	Environ func() []string
	// WorkDir is the working folder; empty asks the system.
	WorkDir string
	// Program is the path of the program for others to start; empty asks the system.
	Program string
	// Retry is how often and how fast calls of models are made again; zero fields are the
	// flagRule.
	Retry retry.Policy
	// Now is the clock of databases; nil is the system's.
	Now func() time.Time
	// Version is that of the release; empty takes what the build recorded.
	Version string
	// OwnProcess says that nothing else runs in this process, so that its memory may be
	// limited.
	OwnProcess bool
	// Signals are those of the process; nil where it isn't the program's own.
	Signals *Signals
}

// ProgramPath returns the path by which others start the program. A link by which it was started
// is kept, since it stays when an update puts another file behind it.
func (s System) ProgramPath() (string, error) {
	if s.Program != "" {
		return s.Program, nil
	}
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the path of this program: %w", err)
	}
	named, err := exec.LookPath(os.Args[0])
	if err != nil {
		return self, nil
	}
	if named, err = filepath.Abs(named); err != nil {
		return self, nil
	}
	a, errA := os.Stat(self)
	b, errB := os.Stat(named)
	if errA != nil || errB != nil || !os.SameFile(a, b) {
		return self, nil
	}
	return named, nil
}

// Folder returns the working folder.
func (s System) Folder() (string, error) {
	if s.WorkDir != "" {
		return s.WorkDir, nil
	}
	return os.Getwd()
}

// LimitMemory limits the memory of the process, if it is the program's own, until the
// function that it returns is called. See memoryLimit.
func (s System) LimitMemory(bytes int64) (restore func()) {
	if !s.OwnProcess {
		return func() {}
	}
	l := &memoryLimit{least: bytes, was: debug.SetMemoryLimit(bytes)}
	l.watch()
	return l.restore
}

// FreeEagerly frees unused memory as early as the screens do, not when it is as much as what is in use, if
// the process is the program's own, until the function that it returns is called. A plan of many
// rows stays in memory until it is written.
func (s System) FreeEagerly() (restore func()) {
	if !s.OwnProcess {
		return func() {}
	}
	was := debug.SetGCPercent(views.GCPercent)
	return func() { debug.SetGCPercent(was) }
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	f, ok := stream.(term.File)
	return ok && term.IsTerminal(f.Fd())
}

// Interactive reports whether there is someone to show screens to.
func (s System) Interactive() bool { return IsTerminal(s.In) && IsTerminal(s.Out) }

// width returns how many cells a line of a terminal has, or 0 for any number.
func width(stream any) int {
	f, ok := stream.(term.File)
	if !ok {
		return 0
	}
	w, _, err := term.GetSize(f.Fd())
	if err != nil {
		return 0
	}
	return w
}

// colorVariables are those that say which colours a terminal has.
var colorVariables = []string{
	"TERM", "COLORTERM", "TERM_PROGRAM", "CLICOLOR", "CLICOLOR_FORCE", "TTY_FORCE", "TMUX", "STY",
	"WT_SESSION", "ConEmuANSI", "ANSICON", "ANSICON_VER", "GOOGLE_CLOUD_SHELL",
}

// paint returns a writer that leaves of styles what the stream can show: nothing at
// all in a pipe or where no colour is wanted.
func (s System) paint(stream io.Writer, plain bool) io.Writer {
	if plain || s.Env("NO_COLOR") != "" {
		return &colorprofile.Writer{Forward: stream, Profile: colorprofile.NoTTY}
	}
	var env []string
	for _, name := range colorVariables {
		if v := s.Env(name); v != "" {
			env = append(env, name+"="+v)
		}
	}
	return colorprofile.NewWriter(stream, env)
}

// VersionText returns what --version prints.
func (s System) VersionText() string {
	if s.Version != "" {
		return s.Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development build"
}

// hasDarkBackground guesses the background of the terminal from COLORFGBG, else dark. It
// doesn't ask the terminal: that would wait for an answer and could take typed keys.
func hasDarkBackground(a *App) bool {
	fields := strings.Split(a.Sys.Env("COLORFGBG"), ";")
	n, err := strconv.Atoi(fields[len(fields)-1])
	return err != nil || n < 7 || n == 8
}

// CacheFolder returns this program's folder in the user's cache; it is empty where there is none.
func CacheFolder(env openclaw.Getenv) string {
	return programFolder(env("XDG_CACHE_HOME"), os.UserCacheDir)
}

// programFolder returns this program's folder in a named folder of the user, or else in the usual one; it is empty where
// there is none.
func programFolder(named string, usual func() (string, error)) string {
	if named == "" {
		var err error
		if named, err = usual(); err != nil {
			return ""
		}
	}
	return filepath.Join(named, Program)
}

// SecretConfig returns what the user decided on secrets.
func SecretConfig(env openclaw.Getenv) secrets.Config {
	return secrets.ConfigIn(programFolder(env("XDG_CONFIG_HOME"), os.UserConfigDir))
}

// Masker returns what takes secrets out of texts before a model gets them: by the rules of this program, the user's
// own rules and patterns, also those of the project of a folder, and the shapes that other programs mask.
func (s System) Masker(folder string) (redact.Masker, error) {
	scanner, err := SecretConfig(s.Env).Masked(backfill.ProjectOf(folder))
	return redact.Masker{Scanner: scanner, Least: redact.Maybe}, err
}

// MaskerHere returns the Masker of the working folder.
func (s System) MaskerHere() (redact.Masker, error) {
	folder, _ := s.Folder() // Without it the patterns of no project count.
	return s.Masker(folder)
}

// ImportMemory is how many bytes an import may take before the memory of its batches is freed
// more eagerly. It's no bound: a long line takes what it takes.
const ImportMemory = 64 << 20

// memoryLimit is a limit of the memory of the process that rises with what is in use. A limit
// below that would keep the collector at work all the time.
type memoryLimit struct {
	least, was int64

	mu   sync.Mutex
	done bool
}

// watch adapts the limit after each collection: the cleanup of a value without references runs
// then.
func (l *memoryLimit) watch() {
	runtime.AddCleanup(&[64]byte{}, func(l *memoryLimit) { // Smaller values share their memory with others.
		l.mu.Lock()
		defer l.mu.Unlock()
		if !l.done {
			debug.SetMemoryLimit(max(l.least, limitFor(memoryInUse())))
			l.watch()
		}
	}, l)
}

// restore sets the limit that there was before.
func (l *memoryLimit) restore() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.done = true
	debug.SetMemoryLimit(l.was)
}

// limitFor returns the limit where so many bytes are in use, of which scanned are looked through for
// references. A collection takes time for these alone, so that long texts need little room.
func limitFor(used, scanned uint64) int64 {
	const room = 16 << 20
	return int64(used + used/16 + scanned/2 + room)
}

// memoryInUse returns what the last collection found in use, and how much it looked through.
func memoryInUse() (used, scanned uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}

// Signals are those that end the process, or tell a command something. A nil one gets none.
type Signals struct {
	mu     sync.Mutex
	last   os.Signal
	hangUp func()
}

// Until returns a context that is cancelled by the first of some signals. The second ends the program at once. SIGHUP
// goes to the command that takes it, if there is one.
func (s *Signals) Until(ctx context.Context, ends ...os.Signal) (until context.Context, stop func()) {
	until, cancel := context.WithCancel(ctx)
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, ends...)
	go func() {
		for {
			select {
			case got := <-ch:
				if s.take(got) {
					continue
				}
				signal.Stop(ch)
				cancel()
			case <-until.Done():
				signal.Stop(ch)
			}
			return
		}
	}()
	return until, cancel
}

// take notes a signal, and reports whether the command has taken it.
func (s *Signals) take(got os.Signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got == syscall.SIGHUP && s.hangUp != nil {
		s.hangUp()
		return true
	}
	s.last = got
	return false
}

// TakeHangUp lets SIGHUP call a function, and not end the program, until restore is called.
func (s *Signals) TakeHangUp(fn func()) (restore func()) {
	if s == nil {
		return func() {}
	}
	set := func(fn func()) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hangUp = fn
	}
	set(fn)
	return func() { set(nil) }
}

// EndedBy returns the signal that ended the program, or nil. A nil Signals says that a user did.
func (s *Signals) EndedBy() os.Signal {
	if s == nil {
		return os.Interrupt
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}
