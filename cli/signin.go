package cli

import (
	"sync"

	"lcm-tui/data/openclaw"
	"lcm-tui/engine/model"
)

// signIns returns a function that reads the sign-ins of the host's agents, once. What can't be
// read of one agent hides nothing of the others.
func signIns(l openclaw.Locations) func() model.SignIns {
	return sync.OnceValue(func() (out model.SignIns) {
		for _, agent := range l.Agents() {
			found, err := l.Host.ReadSignIns(agent)
			if err != nil {
				out.Errs = append(out.Errs, err)
			}
			for _, s := range found {
				out.All = append(out.All, modelSignIn(s))
			}
		}
		return out
	})
}

func modelSignIn(s openclaw.SignIn) model.SignIn {
	return model.SignIn{
		Provider: s.Provider, Source: s.Source(), Key: model.NewSecret(s.Key()),
		Login: s.Type == openclaw.SignInOAuth, Expires: s.Expires, Problem: s.Problem,
	}
}
