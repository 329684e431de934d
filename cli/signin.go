package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"lcm-tui/data"
	"lcm-tui/data/openclaw"
	"lcm-tui/data/sessiondb"
	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
)

// signIns returns a function that reads the sign-ins of the host's agents, once. What can't be
// read of one agent hides nothing of the others.
func signIns(l openclaw.Locations) func() choose.SignIns {
	return sync.OnceValue(func() (out choose.SignIns) {
		for _, agent := range l.Agents() {
			found, errs := agentSignIns(l.Host, agent)
			out.Errs = append(out.Errs, errs...)
			for _, s := range found {
				out.All = append(out.All, modelSignIn(s))
			}
		}
		return out
	})
}

// agentSignIns returns the sign-ins of an agent: those of its database, then those of
// auth-profiles.json, which older hosts wrote, that the database doesn't have.
func agentSignIns(host openclaw.Config, agent openclaw.Agent) (out []openclaw.SignIn, errs []error) {
	stored, errs := databaseSignIns(host, agent)
	inFile, err := host.ReadSignIns(agent)
	if err != nil {
		errs = append(errs, err)
	}
	known := map[string]bool{}
	for _, s := range stored {
		known[s.Profile] = true
	}
	for _, s := range inFile {
		if !known[s.Profile] {
			stored = append(stored, s)
		}
	}
	return stored, errs
}

// databaseSignIns reads the sign-ins in a transcript database. Errs are also what the database
// warns of, such as a newer format.
func databaseSignIns(host openclaw.Config, agent openclaw.Agent) (out []openclaw.SignIn, errs []error) {
	ctx := context.Background() // It takes milliseconds, and the model can't be named without.
	db, err := sessiondb.Open(ctx, filepath.Join(agent.Folder, sessiondb.FileName))
	switch {
	case errors.Is(err, data.ErrMissing):
		return nil, nil
	case err != nil:
		return nil, []error{err}
	}
	defer func() { errs = append(append(errs, db.Warnings()...), db.Close()) }()
	stored, err := db.SignIns(ctx)
	if err != nil || stored.Profiles == "" {
		return nil, []error{err}
	}
	out, err = host.ParseSignIns(agent.ID, []byte(stored.Profiles), []byte(stored.State))
	if err != nil {
		err = fmt.Errorf("read the sign-ins in %s: %w", db.Path(), err)
	}
	return out, []error{err}
}

func modelSignIn(s openclaw.SignIn) choose.SignIn {
	return choose.SignIn{
		Provider: s.Provider, Source: s.Source(), Key: model.NewSecret(s.Key()),
		Login: s.Type == openclaw.SignInOAuth, Expires: s.Expires, Problem: s.Problem,
	}
}
