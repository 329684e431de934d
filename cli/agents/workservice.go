package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/loopback"
	"lcm-tui/internal/parallel"
	"lcm-tui/ops"
	"lcm-tui/ui"
	"lcm-tui/work"
	"lcm-tui/work/service"
)

// windowFlag is a flag that takes hours of the day.
type windowFlag struct{ service.Window }

// Type implements pflag.Value; help shows it.
func (*windowFlag) Type() string { return "HH:MM-HH:MM" }

// Set implements pflag.Value.
func (w *windowFlag) Set(s string) (err error) {
	w.Window, err = service.ParseWindow(s)
	return err
}

// serve does work until the process is stopped.
func (s *station) serve(ctx context.Context, c *cli.Invocation) error {
	if err := c.DB.Writable(); err != nil {
		return err
	}
	listening, token, err := s.listen(ctx, c)
	if err != nil {
		return err
	}
	if listening != nil {
		defer listening.Close()
	}
	c.Close() // Between passes nothing is open, so that others may replace or clean the file.
	c.DB, c.CoverageErrors = nil, nil
	log, done, err := s.flags.log.Open(c, slog.LevelInfo)
	if err != nil {
		return err
	}
	defer done()
	s.log = log
	s.tell = s.logJob
	svc := s.service(c)
	defer s.react(ctx, c, svc)()
	if err := s.notes.ForgetFailures(ctx); err != nil {
		return err
	}
	s.log.Info("start", "op", "work")
	s.logMistakes()
	err = s.run(ctx, c, svc, listening, token)
	s.log.Info("stop", "op", "work")
	if errors.Is(err, context.Canceled) && c.Sys.Signals.EndedBy() != os.Interrupt {
		return nil // As systemd and launchd want it.
	}
	return err
}

// run runs the service and what is beside it.
func (s *station) run(ctx context.Context, c *cli.Invocation, svc *service.Service, l net.Listener, token string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var beside parallel.Group
	var served error
	beside.Go(func() { svc.Notify.Watch(ctx) })
	if l != nil {
		beside.Go(func() {
			defer cancel() // A service that can't say how it is ends, and is started again.
			served = service.Serve(ctx, l, svc.Handler(s.flags.listen.Value, token, s.handlers(c)))
		})
	}
	err := svc.Run(ctx)
	svc.Notify.Stopping()
	cancel()
	beside.Wait()
	if served != nil && !errors.Is(served, context.Canceled) {
		return served
	}
	return err
}

// handlers returns what the service answers beside its health, by path.
func (s *station) handlers(c *cli.Invocation) service.Handlers {
	e := newExporter(c)
	e.Notes = func(context.Context) (*work.Sidecar, error) { return s.notes, nil }
	return service.Handlers{"/metrics": e.Handler()}
}

// service returns the service that the flags describe.
func (s *station) service(c *cli.Invocation) *service.Service {
	f := s.flags
	svc := &service.Service{
		Path: s.path, Notes: s.notes, Version: c.Sys.VersionText(), Log: s.log, Notify: service.NewNotifier(), AtLimit: s.atLimit,
		Schedule: service.Schedule{
			Every: f.every.Value, Window: f.between.Window, CheckEvery: f.checkEvery.Value, Mode: work.Mode(cmp.Or(f.integrity.Value, string(work.Scan))),
		},
		Open:   func(ctx context.Context) (*data.DB, error) { return c.OpenFile(ctx, s.path) },
		Reload: s.reload,
	}
	if svc.Mode == noChecks {
		svc.Mode = ""
	}
	svc.Pass = func(ctx context.Context, db *data.DB) (left int, err error) {
		defer s.take(ctx)()
		p := s.prepare(db)
		p.Outside = func() bool { return !svc.Window.Has(time.Now()) }
		p.Waits, p.Report = svc.Waits(), func(int, int, string) { svc.Notify.Progress() }
		_, err = p.Run(ops.WithLocks(ctx, s.locks))
		return p.Left, err
	}
	return svc
}

// reload reads the user's settings again; those of the host and the templates are read for each job.
func (s *station) reload() {
	s.readSettings()
	if err := s.notes.ForgetFailures(context.Background()); err != nil {
		s.log.Error("reload", "op", "work", "error", err.Error())
	}
	s.log.Info("reload", "op", "work")
	s.logMistakes()
}

// logMistakes writes what of the user's settings isn't in force.
func (s *station) logMistakes() {
	for _, err := range s.mistakes {
		s.log.Warn("settings", "op", "work", "error", err.Error())
	}
}

// react lets the service follow signals until the function that it returns is called.
func (s *station) react(ctx context.Context, c *cli.Invocation, svc *service.Service) (stop func()) {
	restore := c.Sys.Signals.TakeHangUp(svc.ReadAgain)
	if !c.Sys.OwnProcess {
		return restore
	}
	ending := onPauseSignal(func() {
		if err := svc.TogglePause(ctx); err != nil {
			s.log.Error("pause", "op", "work", "error", err.Error())
		}
	})
	return func() { ending(); restore() }
}

// logJob writes a line about a job that ended: never what anyone said.
func (s *station) logJob(j work.Job) {
	level := slog.LevelInfo
	if j.Error != "" {
		level = slog.LevelError
	}
	attributes := []any{
		"op", string(j.Kind), "conversation_id", j.Conversation, "compaction_id", j.ID, "trigger_reason", string(j.Reason), "state", string(j.State),
		"token_before", j.TokensBefore, "token_after", j.TokensAfter, "record", j.Record, "error", j.Error,
	}
	if began, err := time.Parse(time.RFC3339, j.StartedAt); err == nil {
		attributes = append(attributes, "duration_ms", max(time.Since(began).Milliseconds(), 0))
	}
	s.log.Log(context.Background(), level, "job", attributes...)
}

// warn tells of what a host did to a context.
func (s *station) warn(f work.Finding) {
	if s.log != nil {
		s.log.Warn("coverage", "op", "work", "conversation_id", f.Conversation, "record", f.Record, "messages", f.Messages, "error", f.What+"; the plan of its repair: "+f.Plan)
		return
	}
	fmt.Fprintf(s.app.Sys.Err, "%s\n", ui.Line(f.What+"; the plan of its repair: "+f.Plan))
}

// listen opens the address of --listen, and reads the token of its clients. Without the flag there is no listener.
func (s *station) listen(ctx context.Context, c *cli.Invocation) (l net.Listener, token string, err error) {
	address := s.flags.listen.Value
	if address == "" {
		return nil, "", nil
	}
	if !service.IsSocket(address) {
		if token, err = s.readToken(c); err != nil {
			return nil, "", err
		}
	} else if s.flags.token.Value != "" {
		return nil, "", cli.UsageErrorf("--token-file has no effect on a unix socket: whoever may open it needs no token")
	}
	if l, err = service.Listen(ctx, address); err != nil {
		return nil, "", err
	}
	return l, token, nil
}

// readToken reads the token from its file, or makes both.
func (s *station) readToken(c *cli.Invocation) (string, error) {
	path := s.flags.token.Value
	if path == "" {
		folder, err := os.UserConfigDir()
		if err != nil {
			return "", cli.UsageErrorf("there is no configuration folder for the token (%v); give --token-file FILE", err)
		}
		path = filepath.Join(folder, cli.Program, "work-token")
	}
	path, err := cli.CheckedPath(c.ClosedDestinations(), path)
	if err != nil {
		return "", err
	}
	token, isNew, err := loopback.Token(path)
	if isNew {
		fmt.Fprintf(c.Sys.Err, "%s work: the token of /healthz is in %s\n", cli.Program, ui.Line(path))
	}
	return token, err
}
