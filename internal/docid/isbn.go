package docid

import "strings"

// ISBN returns an ISBN-13, with ISBN-10 converted; "" if the check digit is wrong.
func ISBN(s string) string {
	s = strings.ToUpper(strings.NewReplacer("-", "", " ", "", "\u2010", "", "\u2011", "").Replace(s))
	long := len(s) == 13
	if !long && len(s) != 10 {
		return ""
	}
	sum := 0
	for i, r := range s {
		n := int(r - '0')
		switch {
		case r == 'X' && !long && i == 9:
			n = 10
		case n < 0 || n > 9:
			return ""
		}
		if long {
			sum += n * (1 + 2*(i%2))
		} else {
			sum += n * (10 - i)
		}
	}
	switch {
	case long && sum%10 == 0:
		return s
	case long || sum%11 != 0:
		return ""
	}
	s, sum = "978"+s[:9], 0
	for i, r := range s {
		sum += int(r-'0') * (1 + 2*(i%2))
	}
	return s + string(rune('0'+(10-sum%10)%10))
}
