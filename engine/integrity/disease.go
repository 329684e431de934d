package integrity

import "strings"

// Disease is something that users suffer from, and the faults that cause it.
type Disease struct {
	Name   string
	Faults []string
}

// Diseases are all diseases, the worst first. Every fault is in exactly one, that
// under which most would look for it.
func Diseases() []Disease { return diseases }

var diseases = []Disease{
	{"The host may fail to start", ids("S01 S03 V01 M11 S04")},
	{"The agent has forgotten", ids("C10 C11 C01 C09 L08 V04 V02 S02")},
	{"Nothing is stored any more", ids("V08 A01 A02")},
	{"Summaries are garbage", ids("Q01 Q02 Q05 Q06 Q07")},
	{"Memory is doubled", ids("M01 M02 M03 C03 L10 L11")},
	{"The context keeps growing", ids("C06 C07 V09 Q03 Q04 A03 A04 A05 L09")},
	{"The model is shown the wrong things", ids("C02 C04 C08 M23 M25 A06")},
	{"Providers may reject the request", ids("M10 M07 M04 M05 M06 M08")},
	{"Summaries can't be expanded", ids("L05 L01 L02 L03 L04 L06 L07 G01 G02 G03 Q12")},
	{"Search misses things", ids("X06 X01 X02 X03 X04 X05")},
	{"Times are wrong", ids("M19 Q08 Q09 M17 M18")},
	{"Counts are wrong", ids("M13 M14 Q10 L13 L14")},
	{"The host may not know its own rows", ids("M15 M09 M12 V03")},
	{"The database is huge", ids("M20 M24 G04 M21 M22 V05 V06 V07")},
	{"Good to know", ids("C05 L12 M16 Q11 Q13 A07")},
}

func ids(list string) []string { return strings.Fields(list) }

// Of are the findings of the disease.
func (d Disease) Of(all []Finding) (out []Finding) {
	for _, id := range d.Faults {
		for _, f := range all {
			if f.Fault == id {
				out = append(out, f)
			}
		}
	}
	return out
}

// Worst is the worst severity among findings, or Info.
func Worst(list []Finding) Severity {
	worst := Info
	for _, f := range list {
		if f.Severity.AtLeast(worst) {
			worst = f.Severity
		}
	}
	return worst
}
