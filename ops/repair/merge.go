package repair

import "context"

func (d *draft) mergers(context.Context) error { return nil }
