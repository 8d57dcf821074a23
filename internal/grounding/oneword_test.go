package grounding

import (
	"strings"
	"testing"
)

// TestOneWordChanges changes one word of a sentence of the source in every way that has a name.
func TestOneWordChanges(t *testing.T) {
	const text = `Ferry traffic in the Sund

In 2021 the ferry line carried 48,000 passengers, and ticket revenue rose by 12 percent. The board approved the new timetable after the spring storm. Most of the captains support the plan, because it may reduce delays at the northern pier.

The company sold its oldest ship to a Danish museum in March. Engine failures caused 3 of the 7 cancellations last winter. Passengers must show a valid ticket before they enter the upper deck.

Bicycles are allowed on all boats unless the wind exceeds 60 kilometres per hour. The harbour master, Ingrid Solheim, said the channel is deep enough for large ships. The second pier was built by the firm Holt and not by the navy. A crossing takes 50 minutes and costs 9 euros per person. Cold water is safe for the hull coating, the maker says.

Norway lent Denmark two ships in 1998. The coast guard rescued 14 sailors and 3 tourists. At least 20 crew members are required on each boat.`
	changes := []struct {
		sentence, from, to string
		kind               DifferenceKind // empty where the change has no name that wording can find
	}{
		{"In 2021 the ferry line carried 48,000 passengers, and ticket revenue rose by 12 percent.", "rose", "fell", DifferentDirection},
		{"In 2021 the ferry line carried 48,000 passengers, and ticket revenue rose by 12 percent.", "12", "21", DifferentNumber},
		{"In 2021 the ferry line carried 48,000 passengers, and ticket revenue rose by 12 percent.", "2021", "2012", DifferentTime},
		{"In 2021 the ferry line carried 48,000 passengers, and ticket revenue rose by 12 percent.", "48,000", "84,000", DifferentNumber},
		{"In 2021 the ferry line carried 48,000 passengers, and ticket revenue rose by 12 percent.", "passengers", "vehicles", ""},
		{"The board approved the new timetable after the spring storm.", "after", "before", DifferentTime},
		{"The board approved the new timetable after the spring storm.", "approved", "rejected", DifferentDirection},
		{"The board approved the new timetable after the spring storm.", "spring", "autumn", ""},
		{"Most of the captains support the plan, because it may reduce delays at the northern pier.", "Most", "All", DifferentQuantifier},
		{"Most of the captains support the plan, because it may reduce delays at the northern pier.", "support", "oppose", DifferentDirection},
		{"Most of the captains support the plan, because it may reduce delays at the northern pier.", "may reduce", "reduces", DifferentCertainty},
		{"Most of the captains support the plan, because it may reduce delays at the northern pier.", "reduce", "increase", DifferentDirection},
		{"Most of the captains support the plan, because it may reduce delays at the northern pier.", "northern", "southern", DifferentDirection},
		{"The company sold its oldest ship to a Danish museum in March.", "sold", "bought", DifferentDirection},
		{"The company sold its oldest ship to a Danish museum in March.", "oldest", "newest", DifferentDirection},
		{"The company sold its oldest ship to a Danish museum in March.", "Danish", "Swedish", DifferentName},
		{"Engine failures caused 3 of the 7 cancellations last winter.", "3 of the 7", "7 of the 3", ""},
		{"Engine failures caused 3 of the 7 cancellations last winter.", "winter", "summer", ""},
		{"Passengers must show a valid ticket before they enter the upper deck.", "must", "may", DifferentCertainty},
		{"Passengers must show a valid ticket before they enter the upper deck.", "upper", "lower", DifferentDirection},
		{"Passengers must show a valid ticket before they enter the upper deck.", "before", "after", DifferentTime},
		{"Bicycles are allowed on all boats unless the wind exceeds 60 kilometres per hour.", "allowed", "banned", DifferentCertainty},
		{"Bicycles are allowed on all boats unless the wind exceeds 60 kilometres per hour.", " unless the wind exceeds 60 kilometres per hour", "", DifferentCondition},
		{"Bicycles are allowed on all boats unless the wind exceeds 60 kilometres per hour.", " all ", " some ", DifferentQuantifier},
		{"The harbour master, Ingrid Solheim, said the channel is deep enough for large ships.", "is deep", "is not deep", DifferentNegation},
		{"The harbour master, Ingrid Solheim, said the channel is deep enough for large ships.", "deep", "shallow", DifferentDirection},
		{"The second pier was built by the firm Holt and not by the navy.", "second", "third", DifferentOrdinal},
		{"A crossing takes 50 minutes and costs 9 euros per person.", "minutes", "hours", ""},
		{"Cold water is safe for the hull coating, the maker says.", "safe", "unsafe", DifferentDirection},
		{"Norway lent Denmark two ships in 1998.", "Norway lent Denmark", "Denmark lent Norway", DifferentRole},
		{"The coast guard rescued 14 sailors and 3 tourists.", "14 sailors and 3 tourists", "3 sailors and 14 tourists", DifferentBinding},
		{"At least 20 crew members are required on each boat.", "At least", "At most", ""},
		{"At least 20 crew members are required on each boat.", "required", "recommended", DifferentCertainty},
	}
	checker := NewChecker([]Source{{ID: "S1", Text: text}})
	grounded, named := 0, 0
	for _, c := range changes {
		if v := checker.Check(Claim{Text: c.sentence, Citations: cite("S1")}); v.Status != Grounded || v.Basis != BasisWording {
			t.Errorf("unchanged: %s: %s", c.sentence, v.Because)
		}
		claim := strings.Replace(c.sentence, c.from, c.to, 1)
		v := checker.Check(Claim{Text: claim, Citations: cite("S1")})
		if v.Status == Grounded {
			grounded++
			t.Logf("grounded: %s", claim)
		}
		if c.kind == "" {
			continue
		}
		if len(v.Differences) > 0 && v.Differences[0].Kind == c.kind {
			named++
			continue
		}
		t.Logf("%q for %q: %s, %v, want %s (%s)", c.to, c.from, v.Status, v.Differences, c.kind, v.Because)
	}
	if grounded > 0 || named < 27 {
		t.Errorf("%d of %d changes are grounded, want none; %d have the right difference, want 27", grounded, len(changes), named)
	}
}
