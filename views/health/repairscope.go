package health

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/repair"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// RepairScope offers what to repair: one finding, a summary, a conversation or the file, each
// with what is wrong in it, and the findings for which the user has to choose.
type RepairScope struct {
	views.ListScreen[*repairScopeRow, views.NoDetail]
	env      *views.Env
	place    views.RepairPlace
	found    []integrity.Finding
	checked  bool // found is whole for the conversation, or for the file.
	name     string
	fromFile bool                       // found is of the whole file.
	previews map[string]*repair.Preview // What the plans of the scopes would do, by their ids, as far as it is known.
}

// repairScopeRow is one thing to repair.
type repairScopeRow struct {
	id, name string
	request  repair.Op
	findings []integrity.Finding
	unknown  bool               // Nobody has looked for its findings.
	preview  *repair.Preview    // Nil until it is known.
	choice   *integrity.Finding // A finding that asks for a choice; nil where it is a scope.
}

var _ ui.Screen = (*RepairScope)(nil)

// NewRepairScope returns the screen of what can be repaired from a place.
func NewRepairScope(env *views.Env, p views.RepairPlace) *RepairScope {
	v := &RepairScope{env: env, place: p, found: p.Found, checked: p.Found != nil, fromFile: p.WholeFile, previews: map[string]*repair.Preview{}}
	id := func(r *repairScopeRow) string { return r.id }
	list := ui.NewList(env.Styles, id, v.render, func(r *repairScopeRow) string { return r.name })
	v.ListScreen = views.NewListScreen(v, env, 0.62, list, id, v.describe)
	v.HeaderLines = v.header
	v.set()
	return v
}

// Title implements ui.Screen.
func (v *RepairScope) Title() string { return "Repair" }

// Purpose implements ui.Screen.
func (v *RepairScope) Purpose() string {
	return "How much to repair: a finding, a summary, a conversation or the whole file. Enter shows what would change; nothing is written from here."
}

var (
	keyPlanRepair   = ui.Act("enter", "⏎", "review the repair")
	keyRepairChoice = ui.Act("enter", "⏎", "choose what to do")
)

// OwnActions implements views.ListOwner.
func (v *RepairScope) OwnActions() []views.Action {
	r, some := v.List.Selected()
	if !some {
		r = &repairScopeRow{}
	}
	why := views.FirstNonEmpty(views.TextWhen(!some, "nothing is wrong here"), v.env.ReadOnly(), v.whyNotRepaired(r))
	enter := keyPlanRepair
	if r.choice != nil {
		enter = keyRepairChoice
	}
	choose := v.env.ChooseModelAction()
	choose.Footer = v.env.ModelUnchosen() && repairCounts(r.findings).byModel > 0
	return []views.Action{{Action: enter.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd { return v.open(r) }}, choose}
}

// whyNotRepaired says why nothing of a scope can be repaired, or is empty.
func (v *RepairScope) whyNotRepaired(r *repairScopeRow) string {
	if r.preview != nil && (r.id != "finding" || len(r.findings[0].Kind().Choices) == 0) {
		return whyNothing(r.preview)
	}
	n := repairCounts(r.findings)
	switch {
	case r.id == "finding" && n.never == 0, r.unknown || r.choice != nil || n.byRule+n.byModel > 0 || len(r.request.Faults) > 0 && n.onRequest > 0:
		return ""
	case !v.checked:
		return v.unchecked()
	case n.byChoice > 0:
		return "every finding of it needs your choice: R on one of them in health asks what to do"
	case len(r.findings) == 0:
		return "nothing is wrong with it"
	case n.onRequest > 0:
		return "nothing in it is damaged; R on such a finding in health repairs it all the same"
	}
	return "this file can't be repaired from itself there: health says what can be done"
}

func (v *RepairScope) open(r *repairScopeRow) tea.Cmd {
	v.env.Jobs.Cancel(v, "preview")
	ask := r.choice
	if r.id == "finding" && !r.findings[0].NeedsNoChoice && len(r.findings[0].Kind().Choices) > 0 {
		ask = &r.findings[0]
	}
	if ask != nil {
		return ui.Say(ui.PushMsg{Screen: newRepairChoice(v.env, *ask)})
	}
	return reviewRepair(v.env, v, r.request)
}

type repairScopeMsg struct {
	found []integrity.Finding
	name  string
}

// Load implements views.ListOwner.
func (v *RepairScope) Load() tea.Cmd {
	env, db, conv, known, file := v.env, v.env.DB, v.place.Conversation, v.checked, v.place.WholeFile
	return tea.Batch(env.FindModels(), env.Jobs.Start(v, "load", func(ctx context.Context, report func(int, int, string)) (m tea.Msg, err error) {
		out := repairScopeMsg{name: "the file"}
		if conv != 0 {
			row, err := lcm.ReadConversation(ctx, db, conv)
			if err != nil {
				return nil, err
			}
			opening, err := views.OpeningOf(ctx, db, conv)
			if err != nil {
				return nil, err
			}
			out.name = views.NameOf(row, opening) + " #" + views.Itoa(conv)
		}
		if known || conv == 0 && !file {
			return out, nil
		}
		d, err := integrity.Check(ctx, db, integrity.Request{Conversation: conv, FilesDir: env.Files, Limits: env.Limits()}, data.Report(report))
		out.found = append([]integrity.Finding{}, d.Findings...)
		return out, err
	}))
}

// Receive implements views.ListOwner.
func (v *RepairScope) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case repairScopeMsg:
		v.name = m.name
		if m.found != nil {
			v.found, v.checked, v.fromFile = m.found, true, v.place.Conversation == 0
		}
		v.set()
		return v.preview()
	case previewMsg:
		return v.takePreview(m)
	}
	return nil
}

// Update implements ui.Screen. After something was written what was found before doesn't hold; after a model was
// chosen the plans may be others.
func (v *RepairScope) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case ui.ChangedMsg:
		if !m.External {
			v.checked, v.fromFile, v.place.Finding, v.found = false, false, nil, nil
			clear(v.previews)
			v.set() // A key may come before they are found again.
		}
	case ui.ShownMsg:
		clear(v.previews)
		v.set()
		return tea.Batch(v.preview(), v.ListScreen.Update(msg))
	}
	return v.ListScreen.Update(msg)
}

// set makes the rows: the scopes, the smallest first, then the findings that ask for a choice.
func (v *RepairScope) set() {
	p := v.place
	of := func(wants func(*integrity.Finding) bool) (out []integrity.Finding) {
		for i := range v.found {
			if wants(&v.found[i]) {
				out = append(out, v.found[i])
			}
		}
		return out
	}
	inConversation := func(f *integrity.Finding) bool { return f.Conversation == p.Conversation }
	var rows []*repairScopeRow
	summary := p.Summary
	if f := p.Finding; f != nil {
		rows = append(rows, &repairScopeRow{
			id: "finding", name: "this finding", findings: []integrity.Finding{*f},
			request: repair.Op{Conversation: f.Conversation, Findings: []string{repair.ID(*f)}},
		})
		if strings.HasPrefix(f.Row, "sum_") {
			summary = f.Row
		}
	}
	if len(p.Faults) > 0 {
		rows = append(rows, &repairScopeRow{
			id: "faults", name: p.FaultsName, unknown: v.found == nil && p.Conversation == 0, request: repair.Op{Conversation: p.Conversation, All: p.Conversation == 0, Faults: p.Faults},
			findings: of(func(f *integrity.Finding) bool {
				return slices.Contains(p.Faults, f.Fault) && (p.Conversation == 0 || inConversation(f))
			}),
		})
	}
	if summary != "" {
		rows = append(rows, &repairScopeRow{
			id: "summary", name: "this summary, " + views.ShortID(summary, views.IDWidth),
			request:  repair.Op{Conversation: p.Conversation, Summaries: []string{summary}},
			findings: of(func(f *integrity.Finding) bool { return inConversation(f) && f.Concerns(summary) }),
		})
	}
	if p.Conversation != 0 {
		rows = append(rows, &repairScopeRow{
			id: "conversation", name: "this conversation", request: repair.Op{Conversation: p.Conversation}, findings: of(inConversation),
		})
	}
	file := &repairScopeRow{id: "file", name: "the whole file", request: repair.Op{All: true}, unknown: !v.fromFile}
	if v.fromFile {
		file.findings = v.found
	}
	rows = append(rows, file)
	for _, f := range of(func(f *integrity.Finding) bool { return needsChoice(*f) }) {
		if !f.Severity.AtLeast(integrity.Warn) {
			continue // Health lists what is good to know.
		}
		if (p.Conversation == 0 || inConversation(&f)) && !v.isDecided(&f) {
			rows = append(rows, &repairScopeRow{id: repair.ID(f), name: f.Kind().Title, choice: &f, findings: []integrity.Finding{f}})
		}
	}
	for _, r := range rows {
		r.preview = v.previews[r.id]
	}
	v.List.SetItems(rows)
}

// needsChoice reports whether only the user can say what to do about a finding.
func needsChoice(f integrity.Finding) bool {
	fault := f.Kind()
	return fault.RepairKind == integrity.ByChoice && !f.NeedsNoChoice && len(fault.Choices) > 0 && !fault.OnRequest && !isMild(f)
}

// isMild reports whether the rows explain a finding of a kind that is worse.
func isMild(f integrity.Finding) bool {
	return f.Severity == integrity.Info && f.Kind().Severity != integrity.Info
}

// repairCount is how many findings are repaired in which way.
type repairCount struct{ byRule, byModel, byChoice, onRequest, never int }

func repairCounts(list []integrity.Finding) (n repairCount) {
	for _, f := range list {
		fault := f.Kind()
		switch {
		case !fault.IsRepairable():
			n.never++
		case needsChoice(f):
			n.byChoice++
		case isMild(f) || fault.OnRequest:
			n.onRequest++
		case fault.RepairKind == integrity.ByModel:
			n.byModel++
		default:
			n.byRule++
		}
	}
	return n
}

// words says how many findings there are and how they are repaired.
func (n repairCount) words() string {
	var out []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{n.byRule, "by rule"},
		{n.byModel, "by a model"},
		{n.byChoice, "after your choice"},
		{n.onRequest, "no damage"},
		{n.never, "not from this file"},
	} {
		if part.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	return strings.Join(out, ", ")
}

// unchecked says that findings are being looked for, or that nobody looks for them any more: it failed, or was
// cancelled.
func (v *RepairScope) unchecked() string {
	if v.env.Jobs.Running(v, "load") {
		return "looking for damage …"
	}
	return "damage isn't known; ctrl+r looks for it"
}

// header says what the scopes are about.
func (v *RepairScope) header(width, _ int) []string {
	s := v.env.Styles
	line := " " + s.Muted.Render("repair in ") + s.Title.Render(ui.Line(v.name))
	if !v.checked && v.place.Conversation != 0 {
		line += s.Muted.Render("   " + v.unchecked())
	}
	return []string{ui.Cut(line, width)}
}

func (v *RepairScope) render(r *repairScopeRow, width int, _ bool) string {
	s := v.env.Styles
	if r.choice != nil {
		return ui.Cut(s.Warn.Render("? your choice: ")+ui.LineN(r.name+" · "+r.choice.Detail, width), width)
	}
	what := s.Faint.Render(v.unchecked())
	switch {
	case r.preview != nil:
		what = previewWords(s, r.preview)
	case r.unknown:
		what = s.Muted.Render("everything that the check finds")
	case v.checked && len(r.findings) == 0:
		what = s.Good.Render("✓") + s.Muted.Render(" nothing is wrong")
	case v.checked || len(r.findings) > 0:
		what = plural.Count(len(r.findings), "finding", "findings") + s.Muted.Render(": "+repairCounts(r.findings).words())
	}
	return ui.Cut(s.Title.Render(ui.Pad(ui.CutMiddle(r.name, 27), 28))+what, width)
}

// mostListed is how many findings of a scope are listed.
const mostListed = 200

// describe lists the findings of a scope in words.
func (v *RepairScope) describe(r *repairScopeRow, _ views.NoDetail, _ int) string {
	s := v.env.Styles
	var b strings.Builder
	b.WriteString(s.Title.Render(ui.Line(r.name)) + "\n")
	if n := textsByModel(r); n > 0 {
		texts := max(n, calls(r.preview))
		b.WriteString(s.Muted.Render(plural.Count(texts, "text is", "texts are")+" written by a model"+views.TextWhen(texts > n, ", since what is made of a new text is made again")+"; what that costs is said before it is asked.") + "\n")
		if why := v.env.SummarizerMissing(); why != "" {
			b.WriteString(s.Warn.Render("~ "+why+": these stay as they are") + "\n")
		} else if v.env.ModelUnchosen() {
			b.WriteString(s.Warn.Render("~ no model is chosen yet: M chooses one") + "\n")
		}
	}
	if r.choice != nil {
		b.WriteString("\n" + ui.Sanitize(r.choice.Kind().Meaning) + "\n\n" + s.Muted.Render("choices") + "\n")
		for _, c := range r.choice.Kind().Choices {
			b.WriteString(ui.Sanitize(c.Word+": "+c.Meaning) + "\n")
		}
		return b.String() + "\n" + ui.Sanitize(v.env.WithNames(r.choice.Detail)) + "\n"
	}
	title := ""
	for _, f := range r.findings[:min(len(r.findings), mostListed)] {
		if f.Kind().Title != title {
			title = f.Kind().Title
			b.WriteString("\n" + s.Accent.Render(ui.Line(title)) + s.Muted.Render("  "+string(f.Fault)) + "\n")
		}
		b.WriteString("· " + ui.LineN(f.Row, 24) + ": " + ui.Line(v.env.WithNames(f.Detail)) + "\n")
	}
	return b.String()
}
