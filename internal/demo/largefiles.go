package demo

import (
	"fmt"
	"path/filepath"
	"strings"

	"lcm-tui/internal/fakehost"
)

// largeFile stores a large file of a conversation and returns its id.
func (d *demo) largeFile(f fakehost.LargeFile, body []byte) (id string) {
	f.Folder, f.At = d.files, d.Clock
	if d.err == nil {
		id, d.err = d.File(f, body)
	}
	return id
}

// upload writes the message in which the user sends a topic's file, if it has one.
func (d *demo) upload(conv int64, t topic) []int64 {
	name := t["upload"]
	if name == "" {
		return nil
	}
	f := fakehost.LargeFile{Conversation: conv, Name: name}
	body := tenants()
	f.MIME, f.Exploration = "text/csv", "Structured summary (csv):\nRows: 1,200.\nColumns: tenant_id, name, country, bookings, since.\nFirst tenant: Nordlink (NO). Countries: NO, EE, FI, SE, DK, DE."
	if filepath.Ext(name) == ".md" {
		body = []byte(plan)
		f.MIME, f.Exploration = "text/markdown", "Plan with five sections: who decides, stop the writers, restore, check, open again. Names the bucket tw-backups and the drill machines drill-1 and drill-2."
	}
	f.ID = d.largeFile(f, body)
	ref := f.Reference(f.ID, len(body))
	return []int64{d.message(conv, 40, fakehost.Message{Role: "user", Content: ref, LargeContent: f.ID})}
}

// bigOutput writes a call whose output went into a file.
func (d *demo) bigOutput(conv int64, t topic) []int64 {
	name := t["tool"]
	f := fakehost.LargeFile{Conversation: conv, Name: name, MIME: "text/plain"}
	body := accessLog(d, 420)
	f.Exploration = "Log of checkout-3, 420 lines, 22:51 to 23:24.\n281 lines are answers 503 after 23:02; before that all are 200.\nEvery 503 waited 5.0s for a connection."
	if filepath.Ext(name) == ".json" {
		body = events(300)
		f.MIME, f.Exploration = "application/json", "Structured summary (json):\nArray of 300 objects.\nKeys: id, booking, type, received_ms, answered_ms.\nanswered_ms - received_ms above 10,000 in 33 of them."
	}
	f.ID = d.largeFile(f, body)
	return d.toolCall(conv, "The whole file, not a sample.", "exec", jsonObject("command", "cat logs/"+name), f.Output(f.ID, "exec", len(body)))
}

// tenants returns a table of partners.
func tenants() []byte {
	names := []string{"Nordlink", "BaltTours", "FjordPass", "Islander", "HansaGo", "Skerry", "Lighthouse", "Midsund"}
	var b strings.Builder
	b.WriteString("tenant_id,name,country,bookings,since\n")
	for i := range 1200 {
		n := names[i%len(names)]
		if i >= len(names) {
			n = fmt.Sprintf("%s %d", n, i/len(names))
		}
		fmt.Fprintf(&b, "%d,%s,%s,%d,20%02d-%02d-01\n", i+1, n, []string{"NO", "EE", "FI", "SE", "DK", "DE"}[i%6], (i*7919)%90_000, 12+i%14, 1+i%12)
	}
	return []byte(b.String())
}

// accessLog returns a log of n requests of which most fail after a time.
func accessLog(d *demo, n int) []byte {
	var b strings.Builder
	for i := range n {
		at := 22*3600 + 51*60 + i*2000/n
		status, took := 200, 40+(i*37)%160
		if i >= 139 {
			status, took = 503, 5000+(i*13)%30
		}
		fmt.Fprintf(&b, "%02d:%02d:%02d checkout-3 POST /v2/checkout/%s %d %dms pool=%d/40\n",
			at/3600, at/60%60, at%60, fakehost.Digest(fmt.Sprint(d.calls, i))[:8], status, took, min(40, 3+i/3))
	}
	return []byte(b.String())
}

// events returns a list of webhook events with their times.
func events(n int) []byte {
	var b strings.Builder
	b.WriteString("[\n")
	for i := range n {
		took := 900 + (i*53)%6000
		if i%9 == 4 {
			took = 10_100 + i
		}
		fmt.Fprintf(&b, `  {"id": "evt_%s", "booking": %d, "type": "payment.captured", "received_ms": %d, "answered_ms": %d}`,
			fakehost.Digest(fmt.Sprint("event", i))[:10], 4_100_000+i*7, i*1000, i*1000+took)
		b.WriteString(map[bool]string{true: ",\n", false: "\n"}[i < n-1])
	}
	b.WriteString("]\n")
	return []byte(b.String())
}

// plan is the document that comes with the restore drill.
const plan = `# Rollback and restore

## Who decides
The one on call, together with the owner of the data. Nobody waits for a manager.

## Stop the writers
    tw-admin freeze --services booking,checkout,payment
Check that queue_depth no longer changes.

## Restore
    RESTORE_TARGET=drill-1 deploy/postgres/restore.sh
Backups are in the bucket tw-backups. A restore of 612 GB takes about 38 minutes.

## Check
- the last transaction is less than a minute older than the stop
- bookings, tickets and payment_events have the counts of the freeze report
- a search for Helsinki to Tallinn answers

## Open again
    tw-admin thaw --services payment,checkout,booking
In this order, with five minutes in between.
`
