package demo

import (
	"fmt"
	"strings"
	"time"

	"lcm-tui/internal/fakehost"
)

// chat writes a conversation whose messages stand line by line in a text file.
func (d *demo) chat(facts []fact, n int) int64 {
	head := map[string]string{}
	var lines []fact
	for _, f := range facts {
		switch f.key {
		case "user", "assistant", "summary":
			lines = append(lines, f)
		default:
			head[f.key] = f.text
		}
	}
	gap, err := time.ParseDuration(head["gap"])
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("read texts: %w", err)
	}
	begin := d.now.Add(-gap*time.Duration(len(lines))/2 - time.Duration(n+1)*53*time.Minute)
	c := fakehost.Conversation{SessionKey: head["key"], Title: head["title"], Active: head["cause"] == "", Cause: head["cause"], At: begin}
	if !c.Active {
		c.Archived = d.now.Add(-30 * time.Minute)
	}
	conv := d.conversation(c)
	var ids []int64
	for i, f := range lines {
		switch f.key {
		case "summary":
			d.leaf(conv, ids, f.text, fakehost.SummaryOptions{Model: head["model"]})
			ids = nil
		case "user":
			ids = append(ids, d.message(conv, 1, fakehost.Message{Role: "user", Content: f.text, At: begin.Add(gap * time.Duration(i) / 2)}))
		default:
			ids = append(ids, d.answer(conv, 20, f.text))
		}
	}
	return conv
}

// nights is how many nightly reports there are.
const nights = 30

// nightly writes the reports of the nights; a week makes a summary, and the oldest
// weeks one above. The model was down for the last of them.
func (d *demo) nightly() int64 {
	begin := d.now.Truncate(24*time.Hour).AddDate(0, 0, -nights).Add(3 * time.Hour)
	conv := d.conversation(fakehost.Conversation{SessionKey: "agent:ops:cron:nightly", Title: "Nightly checks", Active: true, At: begin})
	var ids []int64
	var weeks []string
	for n := range nights {
		d.Clock = begin.AddDate(0, 0, n)
		ids = append(ids, d.night(conv, n)...)
		if n%7 == 6 {
			weeks = append(weeks, d.week(conv, ids, len(weeks)+1))
			ids = nil
		}
		if n == 20 && d.err == nil {
			_, d.err = d.Condense(conv, weeks, "Three weeks of nightly checks without an outage.\n\n- Jobs never failed for good; the mail provider's 429 was the only cause of retries.\n"+
				"- Disk on db-2 grows by half a percent a week; at this pace 80 % is most of a year away.\n- Backups were complete every night.\n\nExpand for details about: slowest jobs, disk numbers by night",
				fakehost.SummaryOptions{Model: "anthropic/claude-haiku-4-5"})
		}
	}
	return conv
}

// night writes one night.
func (d *demo) night(conv int64, n int) []int64 {
	lines := readTexts("nightly")[0]
	date := d.Clock.Format(time.DateOnly)
	ids := []int64{d.message(conv, 2, fakehost.Message{Role: "user", Content: "Nightly check for " + date + ": jobs, backup, disk, certificates. Report in three lines at most."})}
	jobs, took, disk := 60+n%5, 140+(n*37)%90, 61+n/14
	ids = append(ids, d.toolCall(conv, "", "exec", jsonObject("command", "tw-admin jobs --since 24h --json"),
		fmt.Sprintf(`{"date":%q,"jobs":%d,"failed":0,"retried":%d,"slowest":{"name":"fare-report","seconds":%d}}`, date, jobs, map[bool]int{true: 1}[n%6 == 1], took))...)
	ids = append(ids, d.toolCall(conv, "", "exec", jsonObject("command", "df -h /var/lib/postgresql && wal-g backup-list | tail -1"),
		fmt.Sprintf("/dev/nvme1n1  1.8T  %d%%\nbase_%s  %s 02:41:%02d", disk, fakehost.Digest(date)[:12], date, n%60))...)
	line := lines[n%len(lines)]
	text := strings.NewReplacer("{n}", fmt.Sprint(jobs), "{s}", fmt.Sprint(took), "{p}", fmt.Sprint(disk)).Replace(line.text)
	return append(ids, d.answer(conv, 15, fmt.Sprintf("**%s** — %s", date, text)))
}

// week summarises seven nights.
func (d *demo) week(conv int64, ids []int64, n int) string {
	if n == nights/7 {
		source := d.source(ids)
		return d.leaf(conv, ids, truncate(source, 900)+"\n[LCM fallback summary; truncated for context management]", fakehost.SummaryOptions{Model: "emergency-fallback"})
	}
	return d.leaf(conv, ids, fmt.Sprintf("Week %d of nightly checks: no job failed.\n\n- Slowest job every night: fare-report.\n- Backups complete, taken at 02:41.\n"+
		"- Disk on db-2 at %d %%.\n\nExpand for details about: numbers of each night", n, 61+(n*7-1)/14), fakehost.SummaryOptions{Model: "anthropic/claude-haiku-4-5"})
}

// incident writes the conversation that was never compacted and is nearly over its
// budget: an evening of reading logs.
func (d *demo) incident() {
	begin := d.now.Add(-5 * time.Hour)
	conv := d.conversation(fakehost.Conversation{SessionKey: "agent:ops:slack:channel:inc-81", Title: "INC-81: search is slow", Active: true, At: begin})
	d.full = conv
	d.message(conv, 30, fakehost.Message{Role: "user", Content: "Search answers slowly again since noon, in all regions. Read the logs of every node, I want to know when it began on each."})
	for n := range 24 {
		node := fmt.Sprintf("search-%s-%d", []string{"eun", "use", "aps"}[n%3], 1+n/3)
		d.toolCall(conv, "Next node: "+node+".", "exec", jsonObject("command", "journalctl -u search --since 11:30 -n 340 --host "+node), searchLog(node, n))
		if n%6 == 5 {
			d.answer(conv, 40, fmt.Sprintf("%d of 24 nodes read. It begins within a minute of 12:04 everywhere, first on search-eun-1; the heap is 1.4 GB larger from then on.", n+1))
			d.message(conv, 200, fakehost.Message{Role: "user", Content: fmt.Sprintf("Go on with the nodes after %s. Is there anything in the deploy log at that time?", node)})
		}
	}
	d.answer(conv, 60, "All 24 nodes show the same: the port cache was emptied at 12:04 by the admin screen and filled one port at a time. Before I propose a change I'd like to compact this conversation, it is nearly full.")
	var tokens int
	if d.err == nil {
		d.err = d.Read([]any{&tokens}, "SELECT SUM(token_count) FROM messages WHERE conversation_id = ?", conv)
	}
	if d.err == nil {
		d.err = d.Row("conversation_compaction_maintenance", map[string]any{
			"conversation_id": conv, "pending": 1, "reason": "threshold",
			"requested_at": d.Clock.Format(fakehost.Millis), "token_budget": 128_000, "current_token_count": tokens, "projected_token_count": tokens + 2_100,
			"raw_tokens_outside_tail": tokens * 3 / 4, "context_threshold": 0.75, "context_threshold_source": "global",
			"maintenance_revision": 1, "updated_at": d.Clock.Format(fakehost.Seconds),
		})
	}
	d.telemetry(conv, "hot", "high")
}

// searchLog returns what one node of the search service wrote.
func searchLog(node string, n int) string {
	var b strings.Builder
	for i := range 340 {
		at := 11*3600 + 30*60 + i*13 + n%3
		took, heap := 60+(i*31+n*17)%50, 210+i%40
		if i > 156+n%5 {
			took, heap = took+900+(i*7)%800, heap+1400
		}
		fmt.Fprintf(&b, "%02d:%02d:%02d %s q=%s took=%dms heap=%dM\n", at/3600, at/60%60, at%60, node, fakehost.Digest(fmt.Sprint(node, i))[:6], took, heap)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
