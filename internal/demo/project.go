package demo

import (
	"cmp"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/sorting"
)

// session is one sitting of work on a topic.
type session struct {
	topic
	phase int
	facts []fact
	ids   []int64
}

// tail is how many sessions stay unsummarised.
const tail = 6

// project writes a conversation of work on topics between two times; its past is
// folded as the engine would have done, a sitting at a time.
func (d *demo) project(ts []topic, from, to time.Time, c fakehost.Conversation) int64 {
	c.At = from
	conv := d.conversation(c)
	list := sessions(ts)
	g := condenser{demo: d, conv: conv}
	keep := min(tail, len(list)/3)
	for i := range list {
		if t := sessionTime(from, to, i, len(list)); i == 0 || t.Sub(d.Clock) > 11*time.Minute {
			d.Clock = t
		} else {
			d.Clock = d.Clock.Add(11 * time.Minute)
		}
		d.session(conv, &list[i])
		if i == len(list)-1 && d.Clock.Before(to) {
			d.Clock = to.Add(-2 * time.Minute)
			list[i].ids = append(list[i].ids, d.answer(conv, 60, list[i].fill(d.rng, "One thing for tomorrow: {risk}. Shall I open a ticket for it?")))
		}
		if i >= keep {
			g.leaf(list[i-keep], i-keep)
		}
	}
	return conv
}

// sessions orders the work: topics overlap, but the phases of each follow one another.
func sessions(ts []topic) []session {
	type placed struct {
		at float64
		e  session
	}
	var all []placed
	for i, t := range ts {
		for p, facts := range readTexts("phases") {
			all = append(all, placed{float64(i)*3 + float64(p)*3.4, session{topic: t, phase: p, facts: facts[1:]}})
		}
	}
	sorting.Stable(all, func(a, b *placed) int { return cmp.Compare(a.at, b.at) })
	out := make([]session, len(all))
	for i, p := range all {
		out[i] = p.e
	}
	return out
}

// sessionTime spreads n sessions over the working days between two times; the last one
// ends there.
func sessionTime(from, to time.Time, i, n int) time.Time {
	end := to.Add(-25 * time.Minute)
	if i == n-1 {
		return end
	}
	t := from.Add(end.Sub(from) / time.Duration(n) * time.Duration(i))
	day := t.Truncate(24 * time.Hour)
	t = day.Add(8*time.Hour + t.Sub(day)*9/24) // into the hours between eight and five
	switch t.Weekday() {
	case time.Saturday:
		t = t.Add(-24 * time.Hour)
	case time.Sunday:
		t = t.Add(24 * time.Hour)
	}
	return t
}

// session writes the messages of a sitting.
func (d *demo) session(conv int64, e *session) {
	for n, f := range e.facts {
		switch f.key {
		case "summary":
		case "user":
			e.ids = append(e.ids, d.message(conv, 90, fakehost.Message{Role: "user", Content: e.fill(d.rng, f.text)}))
			if n == 0 && e.phase == 0 {
				e.ids = append(e.ids, d.upload(conv, e.topic)...)
			}
		case "assistant":
			e.ids = append(e.ids, d.answer(conv, 30, e.fill(d.rng, f.text)))
		case "exec":
			if e.topic["tool"] != "" {
				e.ids = append(e.ids, d.bigOutput(conv, e.topic)...)
			}
			fallthrough
		default:
			name, input, output := e.tool(f.key, d.calls)
			e.ids = append(e.ids, d.toolCall(conv, e.fill(d.rng, f.text), name, input, output)...)
		}
	}
}
