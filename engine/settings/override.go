package settings

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
)

// override is one of contextThresholdOverrides: for the conversations that it
// matches, these settings are others.
type override struct {
	model, session *regexp.Regexp // nil matches any.
	least, most    int64          // Tokens of the model's window; 0 is any.
	set            map[string]any
}

// overridableSettings are the settings that an override may set.
var overridableSettings = []string{"contextThreshold", "freshTailCount", "leafChunkTokens"}

// parseOverrides reads the list. What a rule matches may stand in it or, together,
// under its "match".
func parseOverrides(list []any) ([]override, error) {
	var out []override
	for _, e := range list {
		o, ok := e.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("expected a list of objects, not %s in it", quoteValue(e))
		}
		match, ok := o["match"].(map[string]any)
		if !ok {
			match = o
		}
		r := override{set: map[string]any{}, model: compileGlob(match["model"]), session: compileGlob(match["sessionPattern"])}
		for name, into := range map[string]*int64{"modelContextWindowMin": &r.least, "modelContextWindowMax": &r.most} {
			if f, ok := match[name].(float64); ok {
				*into = int64(f)
			}
		}
		for _, name := range overridableSettings {
			if err := r.read(name, o[name]); err != nil {
				return nil, err
			}
		}
		out = append(out, r)
	}
	return out, nil
}

func (o *override) read(name string, v any) error {
	if v == nil {
		return nil
	}
	i := slices.IndexFunc(rows, func(r row) bool { return r.name == name })
	parsed, err := rows[i].parse(v)
	if err != nil {
		return fmt.Errorf("%s in it: %w", name, err)
	}
	o.set[name] = parsed
	return nil
}

// compileGlob returns a pattern as the host reads one: ** stands for anything on one line, * for anything
// but a colon, and all of the text must match, case included.
func compileGlob(v any) *regexp.Regexp {
	s, ok := v.(string)
	if !ok || s == "" {
		return nil
	}
	var b strings.Builder
	for i, part := range strings.Split(string([]rune(s)), "**") { // Bytes that are no UTF-8 match each other, in expressions as well.
		if i > 0 {
			b.WriteString(`[^\n\r\x{2028}\x{2029}]*`)
		}
		b.WriteString(strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, "[^:]*"))
	}
	return regexp.MustCompile("^(?:" + b.String() + ")$")
}

// MatchesSession reports whether a pattern of the host's configuration matches a session key. What is
// no pattern matches none.
func MatchesSession(pattern any, key string) bool {
	glob := compileGlob(pattern)
	return glob != nil && glob.MatchString(key)
}

// subject is a conversation as overrides see it. An unknown model is empty, an
// unknown window 0.
type subject struct {
	session, provider, model string
	window                   int64
}

// matches reports whether the rule applies to the subject. known is false where the subject's
// model or window would decide that and isn't known.
func (o override) matches(s subject) (holds, known bool) {
	if o.session != nil && !o.session.MatchString(s.session) {
		return false, true
	}
	if o.model != nil && s.model != "" && !o.model.MatchString(s.model) && !o.model.MatchString(s.provider+"/"+s.model) {
		return false, true
	}
	if s.window > 0 && (s.window < o.least || o.most > 0 && s.window > o.most) {
		return false, true
	}
	known = (o.model == nil || s.model != "") && (o.least == 0 && o.most == 0 || s.window > 0)
	return known, known
}

// ForConversation returns the settings for one conversation: as the first of
// contextThresholdOverrides that holds for it says, flags excepted. A rule about a
// model or its window is judged by what the host noted last; where it noted nothing
// that tells, the settings are those of its own last note of an override; where there
// is no such note, the warning says so.
func (s Settings) ForConversation(ctx context.Context, db *data.DB, conv lcm.Conversation) (out Settings, warning, err error) {
	s = s.ForKind(db.Kind())
	if len(s.overrides) == 0 {
		return s, nil, nil
	}
	notes, err := lcm.ReadHostNotes(ctx, db, conv.ID)
	if err != nil {
		return s, nil, err
	}
	at := subject{session: conv.SessionKey, provider: notes.Provider, model: notes.Model}
	if at.session == "" {
		at.session = conv.SessionID
	}
	at.window = s.host.Providers[strings.ToLower(notes.Provider)].Windows[notes.Model]
	for i, r := range s.overrides {
		holds, known := r.matches(at)
		switch {
		case holds:
			return s.override(r.set, fmt.Sprintf("%scontextThresholdOverrides[%d]", plugin, i)), nil, nil
		case !known && notes.Override:
			return s.override(notedSettings(notes), "the host's last note of this conversation"), nil, nil
		case !known:
			return s, &hint.Error{
				Text:     fmt.Sprintf("contextThresholdOverrides[%d] may hold for conversation %d: its model or the model's window isn't known here", i, conv.ID),
				Next:     "contextThreshold is taken instead; --set contextThreshold=N sets another, and --force and --until don't depend on it",
				OnScreen: "contextThreshold is taken instead; compacting all that can be doesn't depend on it",
			}, nil
		}
	}
	return s, nil, nil
}

// notedSettings returns the settings of an override that the host noted.
func notedSettings(n lcm.HostNotes) map[string]any {
	set := map[string]any{}
	if n.Threshold > 0 {
		set["contextThreshold"] = n.Threshold
	}
	if n.FreshTailCount > 0 {
		set["freshTailCount"] = n.FreshTailCount
	}
	if n.ChunkTokens > 0 {
		set["leafChunkTokens"] = n.ChunkTokens
	}
	return set
}

// override returns s with other values from another source, where no flag says otherwise.
func (s Settings) override(set map[string]any, source string) Settings {
	s.All = slices.Clone(s.All)
	for i, one := range s.All {
		if v, ok := set[one.Name]; ok && one.Source != FromFlag {
			s.All[i].Value, s.All[i].Source = v, source
		}
	}
	return s
}
