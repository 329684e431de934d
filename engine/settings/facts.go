package settings

import (
	"slices"

	"lcm-tui/data"
)

// facts returns what the versions of the host say of the key.
func (r *row) facts() Facts {
	f := Facts{Since: r.since, Gone: r.gone, Earlier: r.earlier, HostOnly: r.use == hostOnly}
	if r.kind != integer && r.kind != number {
		return f
	}
	least := r.minimum()
	f.Minimum = &least
	if r.most < unlimited {
		f.Maximum = &r.most
	}
	return f
}

// minimum returns the least value that the host's schema allows.
func (r *row) minimum() float64 {
	if r.schemaLeast > 0 {
		return r.schemaLeast
	}
	return r.least
}

// Annotate adds what the versions of the host say of their keys to settings that were found elsewhere.
func Annotate(all []Setting) []Setting {
	for i := range all {
		if r := rowOf(all[i].Name); r != nil {
			all[i].Facts = r.facts()
		}
	}
	return all
}

// rowOf returns the row of a key, or nil.
func rowOf(name string) *row {
	i := slices.IndexFunc(allRows, func(r row) bool { return r.name == name && name != "" })
	if i < 0 {
		return nil
	}
	return &allRows[i]
}

// defaultValue returns the default: the row's own, or that of compact, where zero and empty
// are not set.
func (r *row) defaultValue(presets map[string]any) any {
	v, ok := presets[r.name]
	if r.preset != nil || !ok {
		return r.preset
	}
	if v, err := r.parse(v); err == nil && v != int64(0) && v != "" {
		return v
	}
	return nil
}

// computeDefaults sets the defaults that follow from leafChunkTokens.
func (s *Settings) computeDefaults() {
	const leastBootstrap, bootstrapShare = 6000, 0.3
	chunk := value[int64](*s, "leafChunkTokens")
	for _, o := range s.pointers() {
		switch o.Name {
		case "bootstrapMaxTokens":
			o.Default = max(leastBootstrap, int64(bootstrapShare*float64(chunk)))
		case "dynamicLeafChunkTokens.max":
			o.Default = 2 * chunk
		default:
			continue
		}
		if o.Source == FromDefault {
			o.Value = o.Default
		}
	}
}

// pointers returns all settings, those that only the host goes by too.
func (s *Settings) pointers() (all []*Setting) {
	for _, list := range [][]Setting{s.All, s.Others} {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	return all
}

// ForKind returns the settings as the host of a file has them: hosts of before a version have other defaults.
func (s Settings) ForKind(k data.Kind) Settings {
	if k.Relative || k.Level == "" || k.Generation == data.GenerationOne {
		return s
	}
	s.All = slices.Clone(s.All)
	for i := range s.All {
		one := &s.All[i]
		was := one.Earlier
		if one.Name == "sweepMaxDepth" { // incrementalMaxDepth stands in for it.
			was = rowOf("incrementalMaxDepth").earlier
		}
		if was == nil || !isBefore(k.Level, was.Before) {
			continue
		}
		one.Default = was.Value
		if one.Source == FromDefault {
			one.Value = was.Value
		}
	}
	return s
}
