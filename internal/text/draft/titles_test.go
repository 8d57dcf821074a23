package draft

import "testing"

func TestReferenceNames(t *testing.T) {
	t.Parallel()
	r := Reference{Title: "Smith, J., & Jones, K. (2019). Otters of the Northern Rivers. Fen Review, 3(4), 1-20"}
	for title, want := range map[string]bool{"Otters of the northern rivers | Fen Times": true, "Otters of the southern rivers": false,
		"Otters": false, "": false} {
		if got := r.Names(title); got != want {
			t.Errorf("Names(%q) = %v, want %v", title, got, want)
		}
	}
}
