package agents

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/follow"
	"lcm-tui/ui"
)

// recoverAction imports the prompts of sessions whose files their client deleted.
const recoverAction = "recover"

// historyFile is the name of the file in which Claude Code and Codex keep what users typed, beside their sessions.
const historyFile = "history.jsonl"

// recoveredSession is a session of which only the prompts are left.
type recoveredSession struct {
	Client       string    `json:"client"`
	Session      string    `json:"session_id"`
	Project      string    `json:"project"`
	Prompts      int       `json:"prompts"`
	LostPastes   int       `json:"prompts_with_lost_pastes"`
	First        time.Time `json:"first"`
	Last         time.Time `json:"last"`
	Conversation int64     `json:"conversation_id"` // 0 for one that would be made.
	Records      []int64   `json:"records"`

	file *transcript.File
}

// recoverResult is what was, or would be, recovered.
type recoverResult struct {
	Sessions []*recoveredSession `json:"sessions"`
	Prompts  int                 `json:"prompts"`
	// Live are sessions whose files are still there, Stored those that have a conversation.
	Live    int  `json:"live"`
	Stored  int  `json:"stored"`
	Applied bool `json:"applied"`
	cli.WarningList
}

// recoverSessions imports the prompts of the sessions that the flags choose.
func (f *archiveFlags) recoverSessions(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	_, stored, err := c.StoredSessions(ctx)
	if err != nil {
		return nil, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	if f.apply {
		if err := db.Writable(); err != nil {
			return nil, err
		}
	}
	r := &recoverResult{Sessions: []*recoveredSession{}, Applied: f.apply}
	for client := range histories {
		if err := r.find(ctx, c, client, stored, f); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(r.Sessions, func(a, b *recoveredSession) int { return a.First.Compare(b.First) })
	set := c.HostSettings(nil)
	for i, s := range r.Sessions {
		report := c.Progress()
		report(i, len(r.Sessions), "session "+s.Session)
		o := &backfill.Op{Path: s.file.Path, Opened: s.file, Files: c.Locations.FilesDir, Threshold: set.LargeFileTokens(), Title: "prompts only"}
		if f.apply {
			s.Records, err = o.Import(ctx, db, func(int, int, string) {})
			s.Conversation = o.Done().Conversation
		} else {
			var survey backfill.Survey
			survey, err = o.Survey(ctx, db, func(int, int, string) {})
			s.Conversation = survey.Conversation
		}
		o.Close()
		if err != nil {
			return r.broken(c, i, err)
		}
	}
	c.Wipe()
	if len(r.Sessions) == 0 {
		c.Exit = cli.ExitNothing
	}
	return r, nil
}

// broken returns what was reached before an error.
func (r *recoverResult) broken(c *cli.Invocation, reached int, err error) (cli.Result, error) {
	if reached == 0 {
		return nil, err
	}
	r.Sessions = r.Sessions[:reached]
	c.Partial = true
	return r, err
}

// find adds the sessions of a client's history that the flags choose.
func (r *recoverResult) find(ctx context.Context, c *cli.Invocation, client clients.Client, stored map[string]bool, f *archiveFlags) error {
	folder := client.Sessions(c.Sys.Env)
	found, _ := follow.List(ctx, existing(folder)) // What can't be read isn't there either.
	lost, err := findLost(ctx, client, folder, found, stored)
	if err != nil {
		return err
	}
	r.Live, r.Stored = r.Live+lost.live, r.Stored+lost.stored
	for _, file := range lost.sessions {
		if !f.wantsProject(file.Session.CWD) {
			continue
		}
		s := &recoveredSession{
			Client: string(client), Session: strings.TrimSuffix(file.Session.ID, transcript.PromptsOnly), Project: file.Session.CWD, Records: []int64{}, file: file,
		}
		if err := s.read(ctx); err != nil {
			return err
		}
		if s.Prompts == 0 || s.Last.Before(f.since.At) {
			continue
		}
		project := cmp.Or(backfill.ProjectOf(file.Session.CWD), "unknown")
		file.Session.Keys = []string{"agent:" + project + ":" + string(client) + ":" + file.Session.ID}
		r.Sessions, r.Prompts = append(r.Sessions, s), r.Prompts+s.Prompts
	}
	return nil
}

// existing returns a folder, if there is one.
func existing(folder string) []string {
	if folder == "" || !cli.FileExists(folder) {
		return nil
	}
	return []string{folder}
}

// lostSessions are the sessions of a history of prompts that have neither a file nor a conversation, and how many have.
type lostSessions struct {
	sessions     []*transcript.File
	live, stored int
}

// histories are the kinds of histories that clients keep beside the folder of their sessions.
var histories = map[clients.Client]transcript.Kind{clients.ClaudeCode: transcript.ClaudeHistory, clients.Codex: transcript.CodexHistory}

// findLost finds the lost sessions of a client. found are its session files, and stored the ids of the sessions that
// have conversations.
func findLost(ctx context.Context, client clients.Client, folder string, found []follow.Session, stored map[string]bool) (out lostSessions, err error) {
	kind, ok := histories[client]
	if !ok || folder == "" {
		return out, nil
	}
	sessions, err := transcript.Histories(ctx, filepath.Join(filepath.Dir(folder), historyFile), kind)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	}
	live := map[string]bool{}
	for _, s := range found {
		name := strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
		live[name] = true
		if client == clients.Codex && len(name) > uuidLength { // rollout-<time>-<thread>
			live[name[len(name)-uuidLength:]] = true
		}
	}
	for _, file := range sessions {
		switch id := strings.TrimSuffix(file.Session.ID, transcript.PromptsOnly); {
		case live[id]:
			out.live++
		case stored[id] || stored[file.Session.ID]:
			out.stored++
		default:
			out.sessions = append(out.sessions, file)
		}
	}
	return out, err
}

// uuidLength is that of the id of a thread of Codex.
const uuidLength = 36

// wantsProject reports whether a project is one that is recovered: the one that --project names, or one in it.
func (f *archiveFlags) wantsProject(project string) bool {
	if f.project.Value == "" {
		return true
	}
	inside, err := filepath.Rel(f.project.Value, project)
	return err == nil && filepath.IsLocal(inside)
}

// read counts the prompts of a session.
func (s *recoveredSession) read(ctx context.Context) error {
	for e, err := range s.file.Entries(ctx) {
		var bad *transcript.LineError
		if errors.As(err, &bad) {
			continue
		}
		if err != nil {
			return err
		}
		if s.Prompts++; s.Prompts == 1 {
			s.First = e.At
		}
		s.Last = e.At
		if e.Message.Field("paste_lost").Defined() {
			s.LostPastes++
		}
	}
	return nil
}

// Print implements cli.Result.
func (r *recoverResult) Print(p *cli.Printer) {
	if len(r.Sessions) == 0 {
		p.Line("no session has lost its file: " + r.others())
		return
	}
	rows := make([][]string, len(r.Sessions))
	for i, s := range r.Sessions {
		conversation := "new"
		if s.Conversation != 0 {
			conversation = ui.Num(s.Conversation)
		}
		rows[i] = []string{s.Client, ui.Line(s.Session), ui.Line(s.Project), ui.Num(int64(s.Prompts)), ui.Num(int64(s.LostPastes)), ui.Timestamp(s.First), conversation}
	}
	p.Table([]cli.Column{
		{Title: "client"},
		{Title: "session", Grows: true},
		{Title: "project", Grows: true},
		{Title: "prompts", Right: true},
		{Title: "pastes lost", Right: true},
		{Title: "began"},
		{Title: "conv", Right: true},
	}, rows)
	total := fmt.Sprintf("%s of %s", plural.Count(r.Prompts, "prompt", "prompts"), plural.Count(len(r.Sessions), "session", "sessions"))
	if r.Applied {
		p.Line(total + " recovered; lcm-tui undo undoes the last session")
	} else {
		p.Line(total + " would be recovered; nothing was written: --apply writes them")
	}
	p.Muted(r.others())
}

// others says how many sessions need nothing.
func (r *recoverResult) others() string {
	return fmt.Sprintf("%s still there, %d stored already", plural.Count(r.Live, "session file is", "session files are"), r.Stored)
}
