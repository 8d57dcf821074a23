package docid

// ISBN returns an ISBN-13, with ISBN-10 converted; "" if the check digit is wrong.
func ISBN(s string) string {
	var d []int
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			d = append(d, int(r-'0'))
		case (r == 'X' || r == 'x') && len(d) == 9:
			d = append(d, 10)
		case r == '-' || r == ' ' || r == '\u2010' || r == '\u2011':
		default:
			return ""
		}
		if len(d) > 13 {
			return ""
		}
	}
	sum := 0
	switch len(d) {
	case 10:
		for i, n := range d {
			sum += (10 - i) * n
		}
		if sum%11 != 0 {
			return ""
		}
		d = append([]int{9, 7, 8}, d[:9]...)
		d = append(d, (10-checkSum(d)%10)%10)
	case 13:
		if checkSum(d)%10 != 0 {
			return ""
		}
	default:
		return ""
	}
	var out []byte
	for _, n := range d {
		out = append(out, byte('0'+n))
	}
	return string(out)
}

// checkSum weighs digits by 1 and 3 in turn (ISO 2108).
func checkSum(d []int) int {
	sum := 0
	for i, n := range d {
		sum += n * (1 + 2*(i%2))
	}
	return sum
}
