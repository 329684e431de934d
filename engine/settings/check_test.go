package settings_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/engine/settings"
)

// typos are mistyped keys and variables, and what was meant.
var typos = map[string]string{
	"freshTailCuont": "freshTailCount", "freshTailcount": "freshTailCount", "fresh_tail_count": "freshTailCount", "FreshTailCount": "freshTailCount",
	"contexThreshold": "contextThreshold", "contextTreshold": "contextThreshold", "leafChunkToken": "leafChunkTokens", "leafChunksTokens": "leafChunkTokens",
	"leafMinFanOut": "leafMinFanout", "condensedMinFanuot": "condensedMinFanout", "condensedMinFanoutHrad": "condensedMinFanoutHard",
	"incrementalMaxDept": "incrementalMaxDepth", "sweepMaxDetph": "sweepMaxDepth", "dbpath": "dbPath", "databsePath": "databasePath", "largeFileDir": "largeFilesDir",
	"sumaryModel": "summaryModel", "summaryProvder": "summaryProvider", "timeZone": "timezone", "timezon": "timezone", "customInstruction": "customInstructions",
	"fallbackProvider": "fallbackProviders", "stubLargeToolPayload": "stubLargeToolPayloads", "newSesionRetainDepth": "newSessionRetainDepth",
	"cacheAwareCompation": "cacheAwareCompaction", "sizeBytes": "autoRotateSessionFiles.sizeBytes", "LCM_FRESH_TAIL_COUNT": "freshTailCount",
	"LCM_FRESH_TAIL_CUONT": "LCM_FRESH_TAIL_COUNT", "LCM_CONTEXT_TRESHOLD": "LCM_CONTEXT_THRESHOLD", "LCM_DATABASE_PAHT": "LCM_DATABASE_PATH",
	"LCM_SUMMRY_MODEL": "LCM_SUMMARY_MODEL", "LCM_LEAF_CHUNK_TOKEN": "LCM_LEAF_CHUNK_TOKENS", "LCM_TUI_SUMMARY_PROVDER": "LCM_TUI_SUMMARY_PROVIDER",
}

// TestTyposAreSuggestedRight: as keys of the configuration, but those that begin as variables do and are none, as variables.
func TestTyposAreSuggestedRight(t *testing.T) {
	t.Parallel()
	for typo, want := range typos {
		get, list := environ(env{})
		q := settings.Request{Env: get, Environ: list, Host: openclaw.Config{Plugin: map[string]any{typo: 1.0}}}
		if strings.HasPrefix(want, "LCM_") {
			get, list = environ(env{typo: "1"})
			q = settings.Request{Env: get, Environ: list}
		}
		found := q.Check(q.Load())
		if len(found) != 1 || found[0].Kind != settings.Unknown || found[0].Name != typo || found[0].Suggestion == nil || *found[0].Suggestion != want {
			t.Errorf("%s: %+v", typo, found)
		}
	}
	q := settings.Request{Env: env{}.get, Host: openclaw.Config{Plugin: map[string]any{"colour": 1.0, "cacheAwareCompaction": map[string]any{"cacheTTLSecond": 3.0}}}}
	found := q.Check(q.Load())
	if len(found) != 2 || *found[0].Suggestion != "cacheAwareCompaction.cacheTTLSeconds" || found[1].Suggestion != nil {
		t.Errorf("%+v", found)
	}
}

// TestNoVariableOfTheDocumentationIsUnknown: what it tells users to set has an effect.
func TestNoVariableOfTheDocumentationIsUnknown(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	for _, page := range append(pages, "../../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range regexp.MustCompile(`\bLCM_[A-Z_]+[A-Z]\b`).FindAllString(string(text), -1) {
			get, list := environ(env{name: "1"})
			q := settings.Request{Env: get, Environ: list}
			for _, p := range q.Check(q.Load()) {
				if p.Kind == settings.Unknown {
					t.Errorf("%s: %s", filepath.Base(page), p.Text)
				}
			}
		}
	}
}

// TestSecretsOfMistypedNamesAreNotShown: neither by a name nor by their length.
func TestSecretsOfMistypedNamesAreNotShown(t *testing.T) {
	t.Parallel()
	get, list := environ(env{"LCM_SUMMARY_API_KYE": "abc-secret", "LCM_SUMMARY_API_KEYS": "short", "LCM_X": "abcdefghijklmnopqrstuvwxyz", "LCM_DATABASE_URL": "postgres://u:p@h/d"})
	q := settings.Request{Env: get, Environ: list, Host: openclaw.Config{Plugin: map[string]any{"apiKey": "k", "nested": map[string]any{"a": "b"}}}}
	s := q.Load()
	for _, p := range q.Check(s) {
		if p.Value != nil {
			t.Errorf("%s shows %v", p.Name, p.Value)
		}
	}
	if got := listed(s)["LCM_DATABASE_URL"].Value; got != "set" {
		t.Errorf("the address of a database: %v", got)
	}
}

// TestPasswordsInAddressesAreNotShown.
func TestPasswordsInAddressesAreNotShown(t *testing.T) {
	t.Parallel()
	shown := func(name, address string) any {
		get, list := environ(env{name: address})
		return listed(settings.Request{Env: get, Environ: list}.Load())[name].Value
	}
	for _, name := range []string{"LCM_DATABASE_URL", "LCM_SUMMARY_BASE_URL"} {
		for _, address := range []string{"https://u:s3cret@h/v1", "https://h/v1?key=s3cret", "u:s3cret@h", "https://h#s3cret"} {
			if got := shown(name, address); got != "set" {
				t.Errorf("%s: %v", name, got)
			}
		}
	}
	if got := shown("LCM_SUMMARY_BASE_URL", "https://h/v1"); got != "https://h/v1" {
		t.Errorf("an address without more: %v", got)
	}
}

// problem is what a test wants of one.
type problem struct {
	name string
	kind settings.ProblemKind
}

func problemsOf(found []*settings.Problem) (out []problem) {
	for _, p := range found {
		out = append(out, problem{p.Name, p.Kind})
	}
	return out
}

// TestCheck: what stands in the wrong place, is shadowed or empty, and what the host of the file doesn't have.
func TestCheck(t *testing.T) {
	t.Parallel()
	object := func(name string, v any) map[string]any { return map[string]any{name: v} }
	old := data.Kind{Name: "lossless-claw", Level: "0.9.2", Generation: data.GenerationZero}
	one := data.Kind{Name: "lossless-claw", Level: data.GenerationOne, Generation: data.GenerationOne}
	for name, c := range map[string]struct {
		host  openclaw.Config
		env   env
		kind  data.Kind
		want  []problem
		stops bool
	}{
		"nothing":                      {},
		"plugins.config":               {host: openclaw.Config{Misplaced: object("freshTailCount", 3.0)}, want: []problem{{"freshTailCount", settings.Misplaced}}},
		"beside config":                {host: openclaw.Config{Entry: map[string]any{"enabled": true, "hooks": object("x", 1.0), "leafChunkTokens": 4.0}}, want: []problem{{"leafChunkTokens", settings.Misplaced}}},
		"dbPath before databasePath":   {host: openclaw.Config{Plugin: map[string]any{"databasePath": "/b", "dbPath": "/a"}}, want: []problem{{"databasePath", settings.Shadowed}}},
		"the same twice":               {host: openclaw.Config{Plugin: map[string]any{"databasePath": "/a", "dbPath": "/a"}}},
		"largeFile…":                   {host: openclaw.Config{Plugin: map[string]any{"largeFileTokenThreshold": 2000.0, "largeFileThresholdTokens": 3000.0}}, want: []problem{{"largeFileTokenThreshold", settings.Shadowed}}},
		"depths":                       {host: openclaw.Config{Plugin: map[string]any{"incrementalMaxDepth": 2.0, "sweepMaxDepth": 3.0}}, want: []problem{{"incrementalMaxDepth", settings.Shadowed}}},
		"a variable before the config": {env: env{"LCM_FRESH_TAIL_COUNT": "5"}, host: openclaw.Config{Plugin: object("freshTailCount", 6.0)}, want: []problem{{"freshTailCount", settings.Shadowed}}},
		"an empty text":                {env: env{"LCM_CUSTOM_INSTRUCTIONS": ""}, want: []problem{{"LCM_CUSTOM_INSTRUCTIONS", settings.Empty}}},
		"an empty path":                {env: env{"LCM_DATABASE_PATH": ""}, want: []problem{{"LCM_DATABASE_PATH", settings.Empty}}},
		"an empty number":              {env: env{"LCM_FRESH_TAIL_COUNT": ""}},
		"newer":                        {kind: old, host: openclaw.Config{Plugin: object("hostFallbackMode", "error")}, want: []problem{{"hostFallbackMode", settings.Newer}}, stops: true},
		"of the same time":             {kind: old, host: openclaw.Config{Plugin: object("promptAwareEviction", true)}},
		"not yet gone":                 {kind: old, host: openclaw.Config{Plugin: object("transcriptGcEnabled", true)}},
		"gone":                         {kind: one, host: openclaw.Config{Plugin: object("transcriptGcEnabled", true)}, want: []problem{{"transcriptGcEnabled", settings.Gone}}, stops: true},
		"an object that is gone":       {kind: one, host: openclaw.Config{Plugin: object("autoRotateSessionFiles", map[string]any{"sizeBytes": 9.0, "startup": "off"})}, want: []problem{{"autoRotateSessionFiles", settings.Gone}}, stops: true},
		"a variable that is gone":      {kind: one, env: env{"LCM_AUTO_ROTATE_SESSION_FILES_SIZE_BYTES": "5"}, want: []problem{{"LCM_AUTO_ROTATE_SESSION_FILES_SIZE_BYTES", settings.Gone}}},
		"seed 004":                     {env: env{"LCM_AUTOCOMPACT_DISABLED": "true"}, want: []problem{{"LCM_AUTOCOMPACT_DISABLED", settings.Gone}}},
		"seed 004's address":           {env: env{"LCM_DATABASE_URL": "postgres://h/d"}},
		"a word":                       {host: openclaw.Config{Plugin: object("hostFallbackMode", "captureonly")}, want: []problem{{"hostFallbackMode", settings.Range}}, stops: true},
		"no object":                    {host: openclaw.Config{Plugin: object("cacheAwareCompaction", true)}, want: []problem{{"cacheAwareCompaction", settings.WrongType}}, stops: true},
		"variables of tests":           {env: env{"LCM_TEST_X": "1", "LCM_FIXTURES": "/x", "LCMS": "1"}},
	} {
		get, list := environ(c.env)
		q := settings.Request{Env: get, Environ: list, Host: c.host, Kind: c.kind}
		found := q.Check(q.Load())
		if got := problemsOf(found); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
			continue
		}
		for _, p := range found {
			if p.StopsHost() != c.stops || p.Next == "" || p.Text == "" || p.IsQuiet() != (p.Kind == settings.Shadowed) {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

// TestAnEmptyTextComesBeforeTheConfiguration, as in the host.
func TestAnEmptyTextComesBeforeTheConfiguration(t *testing.T) {
	t.Parallel()
	for _, k := range keys(t) {
		if k.kind != "text" || k.name == "" || slices.Contains([]string{"dbPath", "databasePath", "largeFilesDir"}, k.name) {
			continue
		}
		get, list := environ(env{k.env[0]: ""})
		v := any("from the configuration")
		if k.name == "timezone" {
			v = "Europe/Berlin"
		}
		q := settings.Request{Env: get, Environ: list, Host: openclaw.Config{Plugin: nested(k.name, v)}}
		s := q.Load()
		if got := listed(s)[k.name]; got.Value != "" && !slices.Contains(apart, k.name) {
			t.Errorf("%s: %v", k.name, got.Value)
		}
		if !slices.Contains(problemsOf(q.Check(s)), problem{k.env[0], settings.Empty}) {
			t.Errorf("%s: no problem", k.name)
		}
	}
}

// TestEnablement: each of the four places in which the plugin is turned off says so.
func TestEnablement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		host openclaw.Config
		env  env
		want string
	}{
		"on":               {host: openclaw.Config{Slot: "lossless-claw", Allow: []string{"lossless-claw"}}},
		"disabled":         {host: openclaw.Config{IsDisabled: true}, want: "entries.lossless-claw.enabled is false"},
		"legacy":           {host: openclaw.Config{Slot: "legacy"}, want: "\"legacy\""},
		"not in the list":  {host: openclaw.Config{Allow: []string{}}, want: "plugins.allow"},
		"by its own key":   {host: openclaw.Config{Plugin: map[string]any{"enabled": false}}, want: plugin + "enabled"},
		"by a variable":    {env: env{"LCM_ENABLED": "false"}, want: "LCM_ENABLED"},
		"by another word":  {env: env{"LCM_ENABLED": "no"}},
		"variables first":  {env: env{"LCM_ENABLED": "true"}, host: openclaw.Config{Plugin: map[string]any{"enabled": false}}},
		"an absent switch": {host: openclaw.Config{Plugin: map[string]any{}}},
	} {
		e := settings.Load(c.env.get, c.host, nil).Enablement()
		if e.Active != (c.want == "") || len(e.Reasons) > 1 || !e.Active && !strings.Contains(e.Reasons[0].Error(), c.want) {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// TestAutocompactDisabled: only at exactly true.
func TestAutocompactDisabled(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]bool{"true": true, "1": false, "false": false, "": false} {
		if got := settings.Load(env{"LCM_AUTOCOMPACT_DISABLED": given}.get, openclaw.Config{}, nil).AutocompactDisabled(); got != want {
			t.Errorf("%q: %v", given, got)
		}
	}
}

// TestWhenCallsRest: what says when a model isn't asked is a host's, a day at most, and wrong values are those without one.
func TestWhenCallsRest(t *testing.T) {
	t.Parallel()
	type rests struct {
		refusals, calls   int64
		key, window, calm time.Duration
	}
	for name, c := range map[string]struct {
		env  env
		want rests
	}{
		"none": {nil, rests{5, 24, 30 * time.Minute, 10 * time.Minute, 30 * time.Minute}},
		"all": {env{
			"LCM_CIRCUIT_BREAKER_THRESHOLD": "2", "LCM_CIRCUIT_BREAKER_COOLDOWN_MS": "1000", "LCM_SUMMARY_CALL_WINDOW_MS": "2000", "LCM_SUMMARY_MAX_CALLS_PER_WINDOW": "3",
			"LCM_SUMMARY_SPEND_BACKOFF_MS": "999999999999",
		}, rests{2, 3, time.Second, 2 * time.Second, 24 * time.Hour}},
		"wrong": {env{"LCM_CIRCUIT_BREAKER_THRESHOLD": "0", "LCM_SUMMARY_CALL_WINDOW_MS": "soon"}, rests{5, 24, 30 * time.Minute, 10 * time.Minute, 30 * time.Minute}},
	} {
		s := settings.Load(c.env.get, openclaw.Config{}, nil)
		var got rests
		got.refusals, got.key = s.Breaker()
		got.calls, got.window, got.calm = s.CallWindow()
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestLosslessClaude: its settings have defaults and origins; unknown keys are shown, and secrets are not.
func TestLosslessClaude(t *testing.T) {
	t.Parallel()
	c := openclaw.ClaudeConfig{Path: "config.json", Found: true, Values: map[string]any{
		"daemon": map[string]any{"port": 4000.0}, "llm": map[string]any{"apiKey": "${KEY}", "provider": "openai", "baseURL": "https://u:p@h/v1"},
		"later": map[string]any{"thing": true, "token": "x"},
	}}
	all, refused := settings.LosslessClaude(c, env{"KEY": "k-123"}.get)
	by := map[string]settings.Setting{}
	for _, s := range all {
		by[s.Name] = s
	}
	for name, want := range map[string][2]any{
		"daemon.port": {4000.0, "config.json"}, "daemon.logLevel": {"info", "default"}, "llm.apiKey": {"set", "config.json"}, "llm.provider": {"openai", "config.json"},
		"llm.baseURL": {"https://…@h/v1", "config.json"}, "later.thing": {true, "config.json"}, "later.token": {nil, "config.json"}, "summarizer.mock": {false, "default"},
	} {
		if got := by[name]; got.Value != want[0] || got.Source != want[1] {
			t.Errorf("%s: %v from %s", name, got.Value, got.Source)
		}
	}
	if refused != "" {
		t.Error(refused)
	}
	for given, wrong := range map[string]bool{"auto": false, "claude-process": false, "codex-process": false, "anthropic": true, "openai": false, "disabled": false, "gemini": true} {
		all, refused := settings.LosslessClaude(openclaw.ClaudeConfig{}, env{"LCM_SUMMARY_PROVIDER": given}.get)
		i := slices.IndexFunc(all, func(s settings.Setting) bool { return s.Name == "llm.provider" })
		if all[i].Value != given || (refused != "") != wrong {
			t.Errorf("%s: %v, %q", given, all[i].Value, refused)
		}
	}
}
