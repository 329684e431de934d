package retry

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// toolChain is a model and its fallbacks. The next is called where one fails: it is given the same
// conversation. One that failed for good isn't called again.
type toolChain struct {
	models []model.ToolModel
	ended  ended
}

// ToolChain makes of a model and its fallbacks one model, which calls them in order. A fallback that
// is the same as one before it is left out.
func ToolChain(first model.ToolModel, fallbacks ...model.ToolModel) model.ToolModel {
	c := &toolChain{models: []model.ToolModel{first}}
	for _, next := range fallbacks {
		if !slices.ContainsFunc(c.models, func(m model.ToolModel) bool { return m.Identity() == next.Identity() }) {
			c.models = append(c.models, next)
		}
	}
	return c
}

// Name returns the name of the first model.
func (c *toolChain) Name() string { return c.models[0].Name() }

// Identity implements model.ToolModel.
func (c *toolChain) Identity() string {
	all := make([]string, len(c.models))
	for i, m := range c.models {
		all[i] = m.Identity()
	}
	return strings.Join(all, "\n")
}

// CallWithTools implements model.ToolModel. Its error is that of all models.
func (c *toolChain) CallWithTools(ctx context.Context, r model.ToolRequest) (model.ToolReply, error) {
	var errs []error
	for i, m := range c.models {
		err := c.ended.of(i)
		if err == nil {
			var reply model.ToolReply
			reply, err = m.CallWithTools(ctx, r)
			if err == nil || ctx.Err() != nil || errors.Is(err, summarize.ErrLimit) {
				return reply, err
			}
			c.ended.note(i, err)
		}
		errs = append(errs, err)
	}
	return model.ToolReply{}, errors.Join(errs...)
}
