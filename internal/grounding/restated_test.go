package grounding

import "testing"

func TestRestated(t *testing.T) {
	const text = "The old ferry took three years to build, and on March 3, 1998 it carried 1.2 million crates for 20 percent of the price. It carried 1.2 million crates [3] in the first half of the 19th year."
	tests := []struct {
		name, claim string
		want        bool
	}{
		{"word for word", text, true},
		{"digits for words", "The old ferry took 3 years to build, and on March 3, 1998 it carried 1.2 million crates for 20 percent of the price. It carried 1.2 million crates [3] in the first half of the 19th year.", true},
		{"a date in another order", "On 3 March 1998 it carried 1,200,000 crates for 20% of the price.", true},
		{"another number", "The old ferry took 4 years to build, and on March 3, 1998 it carried 1.2 million crates.", false},
		{"beside an ordinal and a mark", "It carried 1,200,000 crates in the first half of the 19th year.", true},
		{"a word more", "The old ferry took only 3 cold years to build.", false},
		{"a negation more", "The old ferry did not take 3 years to build.", false},
		{"too short to say", "It took 3 years.", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := compareWith(tt.claim, text).restated(); got != tt.want {
				t.Errorf("restated is %v, want %v", got, tt.want)
			}
		})
	}
}
