package service

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/work"
	"lcm-tui/work/pass"
)

// Service does passes until it is stopped.
type Service struct {
	Path  string // Of the database.
	Notes *work.Sidecar
	// Open opens the database for one pass.
	Open func(ctx context.Context) (*data.DB, error)
	// Pass does a pass over an open database. Left is how many jobs it left to other processes.
	Pass func(ctx context.Context, db *data.DB) (left int, err error)
	// AtLimit reports whether a limit of the day keeps models from being asked; or nil.
	AtLimit func(ctx context.Context) (bool, error)
	// Reload is called before the next pass where a user asked for other settings to be read; or nil.
	Reload func()
	Schedule
	Version string
	Log     *slog.Logger
	Notify  *Notifier

	mu     sync.Mutex
	status Status
	last   time.Time // When the last pass ended.
	ready  bool      // There was a pass.
	reload bool
	wake   chan struct{}
	once   sync.Once
	waits  *pass.Waits
	seen   fileState        // As the last pass found it, where it left nothing to do.
	rested map[int64]string // The conversations that were paused then.
}

// Schedule is when a service does what.
type Schedule struct {
	Every  time.Duration // From the end of one pass to the next, more or less a tenth.
	Window Window
	// CheckEvery is how often the whole file is checked, and Mode how far that goes; without a mode it isn't.
	CheckEvery time.Duration
	Mode       work.Mode
}

// init makes what the service needs for itself.
func (s *Service) init() {
	s.once.Do(func() {
		s.wake, s.waits, s.last = make(chan struct{}, 1), pass.NewWaits(nil, nil), time.Now()
		s.status = Status{State: Starting, Host: hostUnknown, DB: dbOK, Version: s.Version}
	})
}

// Waits returns what knows since when the service waits for jobs.
func (s *Service) Waits() *pass.Waits {
	s.init()
	return s.waits
}

// Wake lets the next pass begin now.
func (s *Service) Wake() {
	s.init()
	select {
	case s.wake <- struct{}{}:
	default: // It is woken already.
	}
}

// ReadAgain lets the next pass begin now, with settings that are read again.
func (s *Service) ReadAgain() {
	s.init()
	s.mu.Lock()
	s.reload = true
	s.mu.Unlock()
	s.Wake()
}

// TogglePause pauses all work, or lets it go on. A job that is being done is ended first.
func (s *Service) TogglePause(ctx context.Context) error {
	s.init()
	since, err := s.Notes.Paused(ctx)
	if err == nil {
		err = s.Notes.Pause(ctx, since == "")
	}
	s.Wake()
	return err
}

// Run does passes until the context is cancelled, and returns its error. A pass that fails is followed by the next
// one.
func (s *Service) Run(ctx context.Context) error {
	s.init()
	for {
		s.tick(ctx)
		if ctx.Err() != nil {
			s.set(func(st *Status) { st.State = Stopping })
			return ctx.Err()
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-time.After(jitter(s.Every)):
		}
	}
}

// jitter returns a span that is up to a tenth shorter or longer, so that several services don't stay in step.
func jitter(d time.Duration) time.Duration {
	return time.Duration(float64(d) * (0.9 + 0.2*rand.Float64())) //nolint:gosec // Nobody is to be surprised.
}

// tick does one pass, if there is something to do, and notes how the service is then.
func (s *Service) tick(ctx context.Context) {
	s.mu.Lock()
	reload := s.reload
	s.reload = false
	s.mu.Unlock()
	if reload {
		s.seen = fileState{}
		if s.Reload != nil {
			s.Reload()
		}
	}
	state, err := s.pass(ctx)
	if ctx.Err() != nil {
		return // It stays as it is.
	}
	if err != nil {
		state = Failing
		if text := err.Error(); text != s.Status().Error { // Once, not at each pass.
			s.Log.Error("pass", "op", "work", "error", text)
		}
	}
	waiting, failed := s.Notes.Waiting(ctx)
	if failed != nil && err == nil {
		state, err = Failing, failed
	}
	if failed := s.Notes.Counts().NoteTick(ctx, work.WorkService, work.Tick{At: time.Now()}); failed != nil && err == nil {
		state, err = Failing, failed
	}
	uncovered, failed := s.Notes.Checks().Uncovered(ctx)
	if failed != nil && err == nil {
		state, err = Failing, failed
	}
	s.set(func(st *Status) {
		s.last, s.ready = time.Now(), true
		st.State, st.LastTick, st.Queue, st.Blocked, st.Uncovered, st.Error = state, data.FormatTimeMillis(s.last), len(waiting), 0, uncovered, ""
		if err != nil {
			st.Error = err.Error()
		}
		for _, j := range waiting {
			if j.State == work.Blocked {
				st.Blocked++
			}
		}
	})
	s.Notify.Ready(s.Status())
}

// pass does one pass where it is the time for it, and returns what the service does then.
func (s *Service) pass(ctx context.Context) (State, error) {
	switch since, err := s.Notes.Paused(ctx); {
	case err != nil:
		return Failing, err
	case since != "":
		return Paused, nil
	case !s.Window.Has(time.Now()):
		return Outside, nil
	}
	if some, err := s.isAnything(ctx); err != nil || !some {
		return s.idleOrBlocked(ctx, err)
	}
	s.set(func(st *Status) { st.State = Working })
	return s.passNow(ctx)
}

// passNow does a pass. What it found is known as seen only where nobody wrote meanwhile: it may not have come to what was written.
func (s *Service) passNow(ctx context.Context) (State, error) {
	s.seen = fileState{}
	rested, err := s.Notes.PausedOnes(ctx)
	if err != nil {
		return Failing, err
	}
	before := stateOf(s.Path)
	left, err := s.work(ctx)
	switch {
	case errors.Is(err, pass.ErrPaused):
		return Paused, nil
	case errors.Is(err, pass.ErrOutside):
		return Outside, nil
	}
	state, err := s.idleOrBlocked(ctx, err)
	if err == nil && left == 0 && state == Idle && stateOf(s.Path) == before {
		s.seen, s.rested = before, rested
	}
	return state, err
}

// idleOrBlocked returns what the service does where nothing is left to do, and no error before.
func (s *Service) idleOrBlocked(ctx context.Context, err error) (State, error) {
	if err != nil || s.AtLimit == nil {
		return Idle, err
	}
	blocked, err := s.AtLimit(ctx)
	if blocked {
		return Blocked, err
	}
	return Idle, err
}

// isAnything reports whether a pass may find something to do: somebody wrote, a job is due, a conversation isn't paused any
// more, or it is time for a check of the file, whose job it makes.
func (s *Service) isAnything(ctx context.Context) (bool, error) {
	if err := s.requestCheck(ctx); err != nil {
		return false, err
	}
	if now := stateOf(s.Path); s.seen == (fileState{}) || now != s.seen {
		return true, nil
	}
	paused, err := s.Notes.PausedOnes(ctx)
	for id := range s.rested {
		if paused[id] == "" {
			return true, err
		}
	}
	if err != nil {
		return false, err
	}
	waiting, err := s.Notes.Waiting(ctx)
	for _, j := range waiting {
		if s.waits.IsOver(j) {
			return true, err
		}
	}
	return false, err
}

// requestCheck makes the job of a check of the whole file, if the last one is long ago.
func (s *Service) requestCheck(ctx context.Context) error {
	if s.Mode == "" {
		return nil
	}
	return s.Notes.Checks().RequestCheck(ctx, s.Mode, s.CheckEvery)
}

// work opens the database and does the pass, and notes how the database is. Left is how much of it other processes have begun.
func (s *Service) work(ctx context.Context) (left int, err error) {
	defer func() {
		if err != nil && ctx.Err() == nil && !errors.Is(err, pass.ErrPaused) && !errors.Is(err, pass.ErrOutside) {
			s.set(func(st *Status) { st.DB = conditionOf(err) })
		}
	}()
	db, err := s.Open(ctx)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := db.Writable(); err != nil {
		return 0, err
	}
	left, err = s.Pass(ctx, db)
	held := db.Holders(db.Path())
	s.set(func(st *Status) {
		st.DB = dbOK
		switch {
		case held.Away():
			st.Host = hostAway
		case len(held.Names) > 0:
			st.Host = hostOpen
		default:
			st.Host = hostUnknown
		}
	})
	return left, err
}
