package choose

import (
	"strings"

	"lcm-tui/engine/model"
)

// settingsLayer is what one source says. What it says of one provider isn't taken for
// another: a base URL or a model that stands beside "openai" is openai's.
type settingsLayer struct {
	place                            func(what string) string // Where it says it.
	provider, model, base, api, exec string
	key                              model.Secret
}

// What a layer may say, by the ends of the variables' names.
const (
	saysProvider = "PROVIDER"
	saysModel    = "MODEL"
	saysBase     = "BASE_URL"
	saysAPI      = "API"
	saysExec     = "EXEC"
	saysKey      = "API_KEY"
)

// ours is how many of the layers are the user's word to this program: its flags and its
// own variables. A key that stands there was given for whatever address is in force.
const ours = 2

// settingsLayers returns the sources, the strongest first.
func settingsLayers(c Choice, env Getenv, h HostConfig) []settingsLayer {
	at := func(place string) func(string) string { return func(string) string { return place } }
	plugin := func(what string) string {
		return "openclaw.json plugins.entries.lossless-claw.config.summary" + map[string]string{saysProvider: "Provider", saysModel: "Model"}[what]
	}
	flag := func(what string) string {
		if what == saysKey && c.KeyEnv != "" {
			return "environment " + c.KeyEnv
		}
		return "flag"
	}
	all := []settingsLayer{
		{place: flag, provider: c.Provider, model: c.Model, base: c.BaseURL, api: string(c.API), exec: c.Exec, key: c.Key},
		environment("LCM_TUI_SUMMARY_", env),
		environment("LCM_SUMMARY_", env),
		{place: plugin, provider: h.Provider, model: h.Model},
	}
	for _, m := range h.Defaults {
		all = append(all, settingsLayer{place: at("openclaw.json agents.defaults"), model: m})
	}
	for i := range all {
		all[i].clean()
	}
	return all
}

func environment(prefix string, env Getenv) settingsLayer {
	return settingsLayer{
		place:    func(what string) string { return "environment " + prefix + what },
		provider: env(prefix + saysProvider), model: env(prefix + saysModel), base: env(prefix + saysBase),
		api: env(prefix + saysAPI), exec: env(prefix + saysExec), key: model.NewSecret(env(prefix + saysKey)),
	}
}

func (l *settingsLayer) clean() {
	l.provider = canonical(l.provider)
	for _, s := range []*string{&l.model, &l.base, &l.exec, &l.api} {
		*s = strings.TrimSpace(*s)
	}
}

// vendor returns the provider of which the layer speaks, or empty, and where it says
// so.
func (l settingsLayer) vendor(endpoints map[string]Endpoint) (name, from string) {
	switch head, _, ok := strings.Cut(l.model, "/"); {
	case l.provider != "":
		return l.provider, l.place(saysProvider)
	case l.exec != "":
		return model.Exec, l.place(saysExec)
	case ok && endpoints[canonical(head)].BaseURL != "":
		return canonical(head), l.place(saysModel)
	}
	if v := infer(l.model); v != "" {
		return v, l.place(saysModel)
	}
	return "", ""
}
