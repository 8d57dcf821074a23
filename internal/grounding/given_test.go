package grounding

import "testing"

// What the question names is not held against a claim, where it is only a circumstance. It proves nothing about the rest.
func TestGivenByTheQuestion(t *testing.T) {
	const question = "Does plain VACUUM free disk space in PostgreSQL 15 for a 2 TB table, and did prices rise in Norway or Sweden?"
	const text = "Plain VACUUM does not return the space of dead rows to the operating system. Prices fell in the second half of the year."
	for claim, want := range map[string]Status{
		"In PostgreSQL 15, plain VACUUM does not return the space of dead rows to the operating system.": Grounded,
		"Plain VACUUM does not return the space of dead rows to the operating system.":                   Grounded,
		"In PostgreSQL 15, plain VACUUM returns the space of dead rows to the operating system.":         Unsupported,
		"In PostgreSQL 16, plain VACUUM does not return the space of dead rows to the operating system.": Inferred,
		"PostgreSQL 15 does not return the space of dead rows to the operating system.":                  Inferred,
		"Prices rose in the second half of the year.":                                                    Unsupported,
	} {
		v := NewChecker([]Source{{ID: "S1", Text: text}}).Check(Claim{Text: claim, Citations: cite("S1"), Given: question})
		if v.Status != want {
			t.Errorf("%s: %s, want %s: %s %v", claim, v.Status, want, v.Because, v.Differences)
		}
	}
	const other = "In PostgreSQL 14, plain VACUUM does not return the space of dead rows to the operating system."
	if v := NewChecker([]Source{{ID: "S1", Text: other}}).Check(Claim{Text: "In PostgreSQL 15, plain VACUUM does not return the space of dead rows to the operating system.", Citations: cite("S1"), Given: question}); v.Status == Grounded {
		t.Errorf("another version than the passage's: %s", v.Because)
	}
}

// A frame of attribution is accounted for by the publisher or an author of the page, and by nobody else.
func TestSpeakerOfThePage(t *testing.T) {
	page := Source{ID: "S1", URL: "https://www.cdc.gov/flu", Title: "Flu season", Publisher: "CDC", Authors: []string{"Ines Halvard"},
		Text: "Adults over 65 should get a flu shot before the end of October. The shot takes two weeks to work."}
	for claim, want := range map[string]bool{
		"According to the CDC, adults over 65 should get a flu shot before the end of October.":                                        true,
		"According to the Centers for Disease Control and Prevention, adults over 65 should get a flu shot before the end of October.": true,
		"Adults over 65 should get a flu shot before the end of October, the CDC says.":                                                true,
		"Ines Halvard writes that adults over 65 should get a flu shot before the end of October.":                                     true,
		"According to the WHO, adults over 65 should get a flu shot before the end of October.":                                        false,
		"Tom Pellow writes that adults over 65 should get a flu shot before the end of October.":                                       false,
	} {
		v := NewChecker([]Source{page}).Check(Claim{Text: claim, Citations: cite("S1")})
		if (v.Status == Grounded) != want {
			t.Errorf("%s: %s, want grounded %v: %s", claim, v.Status, want, v.Because)
		}
	}
}
