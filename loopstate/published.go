package loopstate

import (
	"strconv"
	"strings"
)

// DateParts parses a date of publication: YYYY, YYYY-MM or YYYY-MM-DD. Missing or invalid parts are 0.
func DateParts(s string) (year, month, day int) {
	parts := strings.Split(s, "-")
	if len(parts) > 3 || len(parts[0]) != 4 {
		return 0, 0, 0
	}
	n := make([]int, 3)
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 1 || i > 0 && len(p) != 2 || i == 1 && v > 12 || i == 2 && v > 31 {
			break
		}
		n[i] = v
	}
	return n[0], n[1], n[2]
}
