package css

import "strings"

// certainty is whether the condition of a rule holds on the screens that people have.
type certainty uint8

const (
	never certainty = iota
	sometimes
	always
)

// Widths and heights of windows in pixels that ordinary screens exceed, and that none does.
const (
	leastWindow = 320
	mostWindow  = 8_000
)

// mediaHolds reads a media query. Speech and paper are not read with a browser.
func mediaHolds(list string) certainty {
	if strings.TrimSpace(list) == "" {
		return always
	}
	best := never
	for _, query := range splitOutside(strings.ToLower(list), ",") {
		query = strings.Join(strings.Fields(query), " ")
		query = strings.TrimPrefix(query, "only ")
		inner, not := strings.CutPrefix(query, "not ")
		holds := always
		for part := range strings.SplitSeq(inner, " and ") {
			holds = min(holds, mediaPart(part))
		}
		if not {
			holds = always - holds
		}
		best = max(best, holds)
	}
	return best
}

func mediaPart(part string) certainty {
	part = strings.ReplaceAll(part, " ", "")
	feature, isFeature := strings.CutPrefix(part, "(")
	if !isFeature {
		if part == "all" || part == "screen" {
			return always
		}
		return never
	}
	feature = strings.TrimSuffix(feature, ")")
	for _, range_ := range [][2]string{{"width>=", "min-width:"}, {"height>=", "min-height:"}, {"width<=", "max-width:"}, {"height<=", "max-height:"}} {
		feature = strings.Replace(feature, range_[0], range_[1], 1)
	}
	name, value, _ := strings.Cut(feature, ":")
	x, ok := length(value, false)
	switch {
	case !ok:
	case (name == "min-width" || name == "min-height") && x <= leastWindow, (name == "max-width" || name == "max-height") && x >= mostWindow:
		return always
	case (name == "min-width" || name == "min-height") && x >= mostWindow, (name == "max-width" || name == "max-height") && x < leastWindow/2:
		return never
	}
	return sometimes
}

// supportHolds reads the condition of @supports. What browsers support of the properties that are read here is known.
func supportHolds(condition string) certainty {
	condition = strings.TrimSpace(strings.ToLower(condition))
	inner, not := strings.CutPrefix(condition, "not")
	if not {
		return always - supportHolds(inner)
	}
	holds := always
	for part := range strings.SplitSeq(condition, " and ") {
		part = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(part), "("), ")")
		name, value, _ := strings.Cut(part, ":")
		name = strings.TrimSpace(name)
		if strings.ContainsAny(part, "()") || len(settingsOf(nil, name, strings.TrimSpace(value), false, false)) == 0 {
			holds = min(holds, sometimes)
		}
	}
	return holds
}
