package cli

import (
	"strconv"
	"strings"
)

// dark guesses the terminal's background without asking it, which would wait for
// an answer and could swallow what is typed: from COLORFGBG, else dark.
func (a *app) dark() bool {
	fields := strings.Split(a.sys.Env("COLORFGBG"), ";")
	n, err := strconv.Atoi(fields[len(fields)-1])
	return err != nil || n < 7 || n == 8
}
