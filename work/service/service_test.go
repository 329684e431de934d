package service_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/work"
	"lcm-tui/work/pass"
	"lcm-tui/work/service"
)

// served is a service on a database, with a pass that tests set.
type served struct {
	*service.Service
	t      *testing.T
	noted  string // The file of what is noted.
	passes atomic.Int64
	ended  chan error
	cancel context.CancelFunc
}

func newServed(t *testing.T) *served {
	t.Helper()
	path := testdb.Sample(t, fakehost.V0_15)
	folder := t.TempDir()
	notes, err := work.Open(t.Context(), folder)
	testdb.Must(t, err)
	t.Cleanup(func() { _ = notes.Close() })
	s := &served{t: t, ended: make(chan error, 1), noted: filepath.Join(folder, "work.db")}
	s.Service = &service.Service{
		Path: path, Notes: notes, Schedule: service.Schedule{Every: time.Hour}, Version: "1.2.3", Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
		Open: func(ctx context.Context) (*data.DB, error) { return data.Open(ctx, path) },
		Pass: func(context.Context, *data.DB) (int, error) { s.passes.Add(1); return 0, nil },
	}
	return s
}

// start runs the service until the test ends, or stop is called.
func (s *served) start() {
	ctx, cancel := context.WithCancel(s.t.Context())
	s.cancel = cancel
	over := make(chan struct{})
	s.t.Cleanup(func() { // Its folder is removed after that.
		cancel()
		<-over
	})
	go func() {
		defer close(over)
		s.ended <- s.Run(ctx)
	}()
}

// until waits until something holds.
func (s *served) until(what string, holds func() bool) {
	s.t.Helper()
	for range 2000 {
		if holds() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	s.t.Fatalf("%s doesn't come about: %+v", what, s.Status())
}

func (s *served) state(want service.State) {
	s.t.Helper()
	s.until(string(want), func() bool { return s.Status().State == want })
}

// ask asks a path of the service without a network.
func (s *served) ask(path string) (code int, status service.Status) {
	w := httptest.NewRecorder()
	s.Handler("unix:x", "", service.Handlers{"/more": http.NotFoundHandler()}).ServeHTTP(w, httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, path, nil))
	_ = json.Unmarshal(w.Body.Bytes(), &status) // What isn't JSON has no status.
	return w.Code, status
}

// TestAServiceSaysHowItIs: ready after the first pass, and what became of it.
func TestAServiceSaysHowItIs(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	if code, _ := s.ask("/readyz"); code != http.StatusServiceUnavailable {
		t.Errorf("before the first pass: %d", code)
	}
	if code, st := s.ask("/healthz"); code != http.StatusOK || st.State != service.Starting || st.LastTick != "" {
		t.Errorf("before the first pass: %d, %+v", code, st)
	}
	s.start()
	s.state(service.Idle)
	if code, st := s.ask("/healthz"); code != http.StatusOK || st.LastTick == "" || st.DB != "ok" || st.Version != "1.2.3" || st.Host == "" || st.Queue != 0 {
		t.Errorf("%d, %+v", code, st)
	}
	if code, _ := s.ask("/readyz"); code != http.StatusOK {
		t.Errorf("after the first pass: %d", code)
	}
	if tick, ok, err := s.Notes.Counts().Tick(t.Context(), work.WorkService); err != nil || !ok || time.Since(tick.At) > time.Minute {
		t.Errorf("the tick that metrics show: %+v, %v, %v", tick, ok, err)
	}
	s.cancel()
	if err := <-s.ended; !errors.Is(err, context.Canceled) || s.Status().State != service.Stopping {
		t.Errorf("%v, %+v", err, s.Status())
	}
}

// TestNothingToDoOpensNothing: while nobody writes to the file and no job is due, it isn't opened.
func TestNothingToDoOpensNothing(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.Every = 5 * time.Millisecond
	s.start()
	s.until("the first pass", func() bool { return s.passes.Load() > 0 })
	s.state(service.Idle)
	first := s.passes.Load()
	last := s.Status().LastTick
	s.until("another look", func() bool { return s.Status().LastTick > last })
	if n := s.passes.Load(); n != first {
		t.Errorf("%d passes, then %d", first, n)
	}
	testdb.Must(t, s.Notes.Request(t.Context(), work.Compaction, 1, work.Manual))
	s.until("a pass for a job", func() bool { return s.passes.Load() > first })
	first = s.passes.Load()
	testdb.Execute(t, s.Path, "UPDATE conversations SET title = 'another'")
	s.until("a pass after a write", func() bool { return s.passes.Load() > first })
}

// TestPausedOrOutsideOfItsHours: nothing is done.
func TestPausedOrOutsideOfItsHours(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	testdb.Must(t, s.TogglePause(t.Context()))
	s.start()
	s.state(service.Paused)
	if n := s.passes.Load(); n != 0 {
		t.Errorf("%d passes while it is paused", n)
	}
	testdb.Must(t, s.TogglePause(t.Context()))
	s.until("a pass", func() bool { return s.passes.Load() > 0 })

	other := newServed(t)
	now := time.Now()
	window, err := service.ParseWindow(now.Add(2*time.Hour).Format("15:04") + "-" + now.Add(3*time.Hour).Format("15:04"))
	testdb.Must(t, err)
	other.Window = window
	other.start()
	other.state(service.Outside)
	if code, _ := other.ask("/healthz"); code != http.StatusOK || other.passes.Load() != 0 {
		t.Errorf("%d, %d passes", code, other.passes.Load())
	}
}

// TestAtTheLimitOfADay it is blocked, which somebody should know.
func TestAtTheLimitOfADay(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.AtLimit = func(context.Context) (bool, error) { return true, nil }
	s.start()
	s.state(service.Blocked)
	if code, st := s.ask("/healthz"); code != http.StatusServiceUnavailable || st.State != service.Blocked || st.DB != "ok" {
		t.Errorf("%d, %+v", code, st)
	}
}

// TestWhatIsWrongWithTheDatabase is said, and the service goes on: once it is well again, so is the service.
func TestWhatIsWrongWithTheDatabase(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	var mu atomic.Pointer[error]
	fail := func(err error) { mu.Store(&err) }
	s.Open = func(ctx context.Context) (*data.DB, error) {
		if err := *mu.Load(); err != nil {
			return nil, &data.Error{Path: s.Path, Verb: "open", Kind: err}
		}
		return data.Open(ctx, s.Path)
	}
	fail(data.ErrLocked)
	s.start()
	for kind, want := range map[error]string{data.ErrLocked: "locked", data.ErrDamaged: "damaged", data.ErrMissing: "missing", data.ErrFull: "failing"} {
		fail(kind)
		s.Wake()
		s.until(want, func() bool { st := s.Status(); return st.DB == want && st.State == service.Failing })
		if code, st := s.ask("/healthz"); code != http.StatusServiceUnavailable || st.Error == "" {
			t.Errorf("%v: %d, %+v", kind, code, st)
		}
	}
	fail(nil)
	s.Wake()
	s.state(service.Idle)
	if code, st := s.ask("/healthz"); code != http.StatusOK || st.DB != "ok" || st.Error != "" {
		t.Errorf("%d, %+v", code, st)
	}
}

// TestSettingsAreReadAgain before the next pass, which comes at once.
func TestSettingsAreReadAgain(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	var reloads atomic.Int64
	s.Reload = func() { reloads.Add(1) }
	s.start()
	s.until("the first pass", func() bool { return s.passes.Load() == 1 })
	s.ReadAgain()
	s.until("another pass", func() bool { return s.passes.Load() == 2 })
	if n := reloads.Load(); n != 1 {
		t.Errorf("read %d times", n)
	}
}

// TestACheckOfTheFileIsDueOnceADay, also for another process.
func TestACheckOfTheFileIsDueOnceADay(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.Mode, s.CheckEvery = work.ScanAndPlan, 24*time.Hour
	s.start()
	s.state(service.Idle)
	jobs, err := s.Notes.Waiting(t.Context())
	if err != nil || len(jobs) != 1 || jobs[0].Kind != work.Integrity || jobs[0].Mode != work.ScanAndPlan || jobs[0].Conversation != 0 {
		t.Fatalf("%+v, %v", jobs, err)
	}
	j := jobs[0]
	if ok, err := s.Notes.Begin(t.Context(), &j); !ok || err != nil {
		t.Fatal(ok, err)
	}
	j.State = work.Done
	testdb.Must(t, s.Notes.End(t.Context(), j))
	testdb.Must(t, s.Notes.Checks().NoteCheckup(t.Context(), work.Checkup{Error: 2}))
	s.Wake()
	testdb.Must(t, s.Notes.Checks().RequestCheck(t.Context(), work.Scan, time.Hour))
	if jobs, err := s.Notes.Waiting(t.Context()); err != nil || len(jobs) != 0 {
		t.Errorf("%+v, %v", jobs, err)
	}
}

// TestWhoMayAsk: this machine, under its own name, with the token; a socket asks for none.
func TestWhoMayAsk(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	token := strings.Repeat("0a", 32)
	h := s.Handler("127.0.0.1:7879", token, service.Handlers{"/more": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })})
	for _, c := range []struct {
		path, host, token string
		want              int
	}{
		{"/healthz", "127.0.0.1:7879", token, http.StatusOK},
		{"/more", "localhost:7879", token, http.StatusTeapot},
		{"/more", "localhost:7879", "", http.StatusUnauthorized},
		{"/healthz", "127.0.0.1:7879", "", http.StatusUnauthorized},
		{"/healthz", "127.0.0.1:7879", token[2:], http.StatusUnauthorized},
		{"/healthz", "evil.example", token, http.StatusForbidden},
		{"/other", "127.0.0.1:7879", token, http.StatusNotFound},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+c.host+c.path, nil)
		if c.token != "" {
			r.Header.Set("Authorization", "Bearer "+c.token)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("%+v: %d", c, w.Code)
		}
	}
}

// TestWhereItListens: on this machine alone, or on a socket that only its owner opens. The socket of a process that is
// gone is replaced; a file isn't.
func TestWhereItListens(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"0.0.0.0:0", ":0", "192.0.2.1:0", "example.com:80", "7879", "unix:", "unix:" + testdb.Sample(t, fakehost.V0_15)} {
		if l, err := service.Listen(t.Context(), address); err == nil {
			_ = l.Close()
			t.Errorf("%s is listened on", address)
		}
	}
	l, err := service.Listen(t.Context(), "127.0.0.1:0")
	testdb.Must(t, err)
	testdb.Must(t, l.Close())
	checkSocket(t, filepath.Join(t.TempDir(), "s"))
}

// TestWhatIsWrittenDuringAPassIsSeen: the pass may have read the database before it.
func TestWhatIsWrittenDuringAPassIsSeen(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.Every = 5 * time.Millisecond
	s.Pass = func(context.Context, *data.DB) (int, error) {
		if s.passes.Add(1) == 1 {
			testdb.Execute(t, s.Path, "UPDATE conversations SET title = 'another'")
		}
		return 0, nil
	}
	s.start()
	s.until("a pass for what was written during the first", func() bool { return s.passes.Load() > 1 })
}

// TestAConversationThatGoesOnIsSeen, although nobody wrote: while it was paused it was passed over.
func TestAConversationThatGoesOnIsSeen(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.Every = 5 * time.Millisecond
	testdb.Must(t, s.Notes.PauseOne(t.Context(), 1, true))
	s.start()
	s.until("the first pass", func() bool { return s.passes.Load() > 0 })
	s.state(service.Idle)
	last, first := s.Status().LastTick, s.passes.Load()
	s.until("another look", func() bool { return s.Status().LastTick > last })
	if n := s.passes.Load(); n != first {
		t.Errorf("%d passes, then %d", first, n)
	}
	testdb.Must(t, s.Notes.PauseOne(t.Context(), 1, false))
	s.until("a pass", func() bool { return s.passes.Load() > first })
}

// TestThePassThatReachesTheLimitIsNotTheLast: what it left is done when the limit is over, although nobody wrote.
func TestThePassThatReachesTheLimitIsNotTheLast(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.Every = 5 * time.Millisecond
	var reached atomic.Bool
	s.AtLimit = func(context.Context) (bool, error) { return reached.Load(), nil }
	s.Pass = func(context.Context, *data.DB) (int, error) {
		reached.Store(s.passes.Add(1) == 1)
		return 0, nil
	}
	s.start()
	s.until("another pass", func() bool { return s.passes.Load() > 1 })
	s.state(service.Idle)
}

// TestHoursThatEndDuringAPass: what it left is begun within the next ones.
func TestHoursThatEndDuringAPass(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.Pass = func(context.Context, *data.DB) (int, error) {
		s.passes.Add(1)
		return 0, pass.ErrOutside
	}
	s.start()
	s.state(service.Outside)
	if code, st := s.ask("/healthz"); code != http.StatusOK || st.DB != "ok" || st.Error != "" {
		t.Errorf("%d, %+v", code, st)
	}
	s.Wake()
	s.until("another pass", func() bool { return s.passes.Load() > 1 })
}

// TestWhatIsWrongWithTheNotesIsNotTheDatabase, and is over when they are well again, although nobody wrote to the database.
func TestWhatIsWrongWithTheNotesIsNotTheDatabase(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	s.start()
	s.state(service.Idle)
	rename := func(from, to string) {
		testdb.ExecAgent(t, s.noted, func(exec func(string, ...any)) { exec("ALTER TABLE " + from + " RENAME TO " + to) })
	}
	rename("sample", "gone")
	s.Wake()
	s.state(service.Failing)
	if code, st := s.ask("/healthz"); code != http.StatusServiceUnavailable || st.DB != "ok" || st.Error == "" {
		t.Errorf("%d, %+v", code, st)
	}
	rename("gone", "sample")
	s.Wake()
	s.state(service.Idle)
	if code, st := s.ask("/healthz"); code != http.StatusOK || st.DB != "ok" || st.Error != "" {
		t.Errorf("%d, %+v", code, st)
	}
}
