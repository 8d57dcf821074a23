package passage

import "testing"

// A line of code above a paragraph is no heading.
func TestHeadingOf(t *testing.T) {
	for text, want := range map[string]string{
		"## Dues\n\nThe board collects them.":  "Dues",
		"idle_ropes = 10\n\nmax_ships = 72":    "",
		"$ harbour --list\n\nIt prints all.":   "",
		"if (tide) {\n\nopen();":               "",
		"Chapter 5\n\nThe board meets in May.": "Chapter 5",
	} {
		if got := headingOf(text); got != want {
			t.Errorf("headingOf(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestSections(t *testing.T) {
	text := "# Harbour\n\nThe board keeps a list of rules for each pier:\n\n- Boats leave before dusk.\n\n- A lamp is lit.\n\n## " +
		"Dues\nThe board meets in May.\n\nNo list follows."
	want := []string{"", "Harbour", "", "Dues"}
	parts := Split(text, 85)
	if len(parts) != len(want) {
		t.Fatalf("%d parts: %+v", len(parts), parts)
	}
	for i, p := range parts {
		if p.Section != want[i] {
			t.Errorf("%q is below %q, want %q", p.Text, p.Section, want[i])
		}
	}
}
