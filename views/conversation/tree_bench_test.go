package conversation

import (
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/ui"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
)

func BenchmarkSummaries(b *testing.B) {
	env := viewtest.BenchEnv(b, viewtest.BigDAG(b))
	v := views.NewConversation(env, lcm.Conversation{ID: 1}, 128_000).Tab(views.TabSummaries).(*Summaries)
	g, err := lineage.Load(b.Context(), env.DB, 1, previewClip)
	if err != nil {
		b.Fatal(err)
	}
	cover, err := loadCoverage(b.Context(), env.DB, 1)
	if err != nil {
		b.Fatal(err)
	}
	roots := g.Roots()
	v.Update(treeMsg{g, roots})
	v.Update(cover)
	v.View(120, 36)
	keys := func(b *testing.B, names ...string) {
		for i := 0; b.Loop(); i++ {
			v.Update(ui.Press(names[i%len(names)]))
			v.Actions()
			v.View(120, 36)
		}
	}
	b.Run("take", func(b *testing.B) {
		for b.Loop() {
			v.Update(treeMsg{g, roots})
			v.View(120, 36)
		}
	})
	b.Run("picture", func(b *testing.B) {
		for b.Loop() {
			cover.width = 0
			v.View(120, 36)
		}
	})
	v.Update(ui.Press("g"))
	for _, r := range roots {
		v.show(r.ID)
		v.Update(ui.Press("+"))
	}
	b.Logf("%d nodes, %d rows", len(g.Nodes()), v.List.Len())
	b.Run("move", func(b *testing.B) { keys(b, "down", "down", "pgdown", "up") })
	b.Run("fold", func(b *testing.B) { v.Update(ui.Press("g")); keys(b, "left", "right") })
	b.Run("all", func(b *testing.B) { v.Update(ui.Press("g")); keys(b, "-", "+") })
	b.Run("damaged", func(b *testing.B) {
		for b.Loop() {
			v.nextDamaged()
		}
	})
	b.Run("filter", func(b *testing.B) {
		v.Update(ui.Press("/"))
		keys(b, "t", "e", "x", "backspace", "backspace", "backspace")
		v.Update(ui.Press("esc"))
	})
}

func BenchmarkContext(b *testing.B) {
	env := viewtest.BenchEnv(b, viewtest.Wide(b, 3000, 400))
	hub := views.NewConversation(env, lcm.Conversation{ID: 1}, 128_000)
	v := hub.Tab(views.TabContext).(*Context)
	open := func() {
		items, err := lcm.Context(b.Context(), env.DB, 1)
		if err != nil {
			b.Fatal(err)
		}
		v.Update(contextMsg{items, items})
		v.View(120, 36)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			open()
		}
	})
	open()
	for name, keys := range map[string][]string{"move": {"down", "pgdown", "up"}, "whatif": {"<", ">"}, "filter": {"/", "1", "2", "esc"}} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				v.Update(ui.Press(keys[i%len(keys)]))
				v.Actions()
				v.View(120, 36)
			}
		})
	}
}
