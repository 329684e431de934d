package change

import (
	"lcm-tui/cli"
	"lcm-tui/ops"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/sessionkey"
)

// sessionRequest is what new, reset and end are asked for, in a plan file.
type sessionRequest struct {
	Conversation int64  `json:"conversation_id,omitempty"`
	Key          string `json:"session_key,omitempty"`
	RetainDepth  int64  `json:"retain_depth,omitempty"`
	Reason       string `json:"reason,omitempty"`
	NextSession  string `json:"next_session_id,omitempty"`
	Offline      bool   `json:"offline,omitempty"`
}

// sessionCodecs read and write the requests of new, reset and end.
func sessionCodecs(c *cli.Invocation) planfile.Codecs {
	how := func(c *cli.Invocation, r sessionRequest) sessionkey.Lifecycle {
		k := sessionFlags{offline: r.Offline}
		return k.lifecycle(c, c.HostSettings(nil))
	}
	return planfile.Codecs{
		"session new": cli.NewCodec(c, func(o *sessionkey.New, _ ops.Plan) (any, error) {
			return sessionRequest{Conversation: o.Conversation, RetainDepth: int64(o.Retain), Offline: o.Offline}, nil
		}, func(c *cli.Invocation, r sessionRequest) (ops.Op, error) {
			return &sessionkey.New{Conversation: r.Conversation, Retain: sessionkey.Depth(max(r.RetainDepth, int64(sessionkey.KeepAll))), Lifecycle: how(c, r)}, nil
		}),
		"session reset": cli.NewCodec(c, func(o *sessionkey.Reset, _ ops.Plan) (any, error) {
			return sessionRequest{Conversation: o.Conversation, Key: o.Key, NextSession: o.NextSession, Offline: o.Offline}, nil
		}, func(c *cli.Invocation, r sessionRequest) (ops.Op, error) {
			return &sessionkey.Reset{Conversation: r.Conversation, Key: r.Key, NextSession: r.NextSession, Lifecycle: how(c, r)}, nil
		}),
		"session end": cli.NewCodec(c, func(o *sessionkey.End, _ ops.Plan) (any, error) {
			return sessionRequest{Conversation: o.Conversation, Reason: o.Reason, NextSession: o.NextSession, Offline: o.Offline}, nil
		}, func(c *cli.Invocation, r sessionRequest) (ops.Op, error) {
			return &sessionkey.End{Conversation: r.Conversation, Reason: r.Reason, NextSession: r.NextSession, Lifecycle: how(c, r)}, nil
		}),
	}
}
