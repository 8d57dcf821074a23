package docid

import "strings"

// ISBN returns an ISBN-13, with ISBN-10 converted; "" if the check digit is wrong.
func ISBN(s string) string {
	s = strings.ToUpper(strings.NewReplacer("-", "", " ", "", "\u2010", "", "\u2011", "").Replace(s))
	body, isTen := strings.CutSuffix(s, "X")
	if strings.Trim(body, "0123456789") != "" || isTen && len(s) != 10 {
		return ""
	}
	switch sum := 0; len(s) {
	case 13:
		if s == s[:12]+checkDigit(s[:12]) {
			return s
		}
	case 10:
		for i, r := range s {
			sum += (10 - i) * strings.IndexRune("0123456789X", r)
		}
		if sum%11 == 0 {
			return "978" + s[:9] + checkDigit("978"+s[:9])
		}
	}
	return ""
}

// checkDigit returns the last digit of an ISBN-13.
func checkDigit(twelve string) string {
	sum := 0
	for i, r := range twelve {
		sum += int(r-'0') * (1 + 2*(i%2))
	}
	return string(rune('0' + (10-sum%10)%10))
}
