package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"lcm-tui/engine/summarize"
)

// maxCacheAge is how long an answer stays in the cache: the memory grows.
const maxCacheAge = time.Hour

// cachedNavigator answers from files where the same question was answered before.
type cachedNavigator struct {
	identifiedNavigator
	files *summarize.CacheFiles
}

// identifiedNavigator is one whose answers depend on more than the task.
type identifiedNavigator interface {
	Navigator
	Identity() string
}

// Cache returns n with a cache of its answers: files in folder, private to the user, for an hour. The
// key is all that decides the answer: the question, the texts of its candidates, the limits and the
// model. A navigator that says nothing of what its answers depend on gets no cache.
func Cache(n Navigator, folder string) (Navigator, error) {
	i, ok := n.(identifiedNavigator)
	if !ok {
		return n, nil
	}
	files, err := summarize.NewCacheFiles(folder, maxCacheAge)
	if err != nil {
		return nil, err
	}
	return &cachedNavigator{i, files}, nil
}

// Navigate implements Navigator.
func (c *cachedNavigator) Navigate(ctx context.Context, t Task) (Answer, error) {
	key, err := json.Marshal([]any{
		c.Name(), c.Identity(), t.Prompt, t.Query, t.Conversation, t.Seeds, t.MessageBacked, t.SeedDigest, t.MaxTokens, t.Tools.Grant.TokenCap, t.Tools.DB.Path(),
	})
	if err != nil {
		return Answer{}, inPhase(PhaseSpawn, fmt.Errorf("cache answers: %w", err))
	}
	var cached Answer
	if c.files.Read(key, &cached) && cached.Text != "" {
		return cached, nil
	}
	answer, err := c.identifiedNavigator.Navigate(ctx, t)
	if err == nil {
		c.files.Write(key, answer)
	}
	return answer, err
}
