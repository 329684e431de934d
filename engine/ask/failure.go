package ask

import (
	"context"
	"errors"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/internal/lazyregexp"
)

// Phase is what a navigator was doing when it failed.
type Phase string

// The phases, in order.
const (
	PhaseSpawn Phase = "spawn"       // Starting: a program, or the first call of a model.
	PhaseWait  Phase = "wait"        // Working.
	PhaseRead  Phase = "read_reply"  // Taking its last words.
	PhaseParse Phase = "parse_reply" // Reading the JSON in them.
)

// The codes of a navigator's failure.
const (
	CodeTimeout      = "DELEGATED_EXPANSION_TIMEOUT"
	CodeSpawnFailed  = "SPAWN_FAILED"
	CodeWaitFailed   = "WAIT_FAILED"
	CodeReplyMissing = "REPLY_MISSING"
	CodeReplyInvalid = "REPLY_INVALID"
)

var phaseCodes = map[Phase]string{
	PhaseSpawn: CodeSpawnFailed, PhaseWait: CodeWaitFailed, PhaseRead: CodeReplyMissing, PhaseParse: CodeReplyInvalid,
}

// PhaseError is a navigator's failure.
type PhaseError struct {
	Phase Phase
	Err   error
	// Elapsed is how long the navigator had worked.
	Elapsed time.Duration
}

func (e *PhaseError) Error() string { return e.Err.Error() }

// Unwrap gives the cause.
func (e *PhaseError) Unwrap() error { return e.Err }

// Code returns the code of the failure. That a time limit passed counts more than the phase.
func (e *PhaseError) Code() string {
	if errors.Is(e.Err, context.DeadlineExceeded) {
		return CodeTimeout
	}
	return phaseCodes[e.Phase]
}

// inPhase returns err as a failure of a phase, where it isn't one already.
func inPhase(p Phase, err error) error {
	var known *PhaseError
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &PhaseError{Phase: p, Err: err}
}

// message says a failure to the caller. A time limit is named as one.
func (e *PhaseError) message() string {
	if errors.Is(e.Err, context.DeadlineExceeded) {
		return "no answer in time (phase " + string(e.Phase) + ")"
	}
	return e.Err.Error()
}

// refusedModel matches errors that read as if another model, or another sign-in, would do.
var refusedModel = lazyregexp.New(`(?i)\b(?:unauthori[sz]ed|forbidden|authenticat\w*|authoriz\w*|invalid api key|permissions?|scopes?|not allowed)\b` +
	`|\b(?:unknown|invalid|unsupported) model\b|\bmodel\b.{0,80}\b(?:not found|not known|does not exist|not supported|unavailable)\b`)

// refusesModel reports whether a failure reads like one of the sign-in, of its scope or of a model
// that isn't known, so that another model may answer.
func refusesModel(err error) bool {
	var e *model.Error
	if errors.As(err, &e) && (e.Kind == model.KindAuth || e.Kind == model.KindUnknownModel || e.Kind == model.KindSetup) {
		return true
	}
	var p *PhaseError
	if errors.As(err, &p) && p.Phase == PhaseParse {
		return false // The words are those of an answer.
	}
	return err != nil && refusedModel.MatchString(err.Error())
}
