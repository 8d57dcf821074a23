package passages

// bridgeChars is the length of the longest gap between two selected parts that is shown with them (chosen): an example or a
// procedure whose beginning and end answer a query has its deciding step in the middle, often in other words.
const bridgeChars = 1_000

// withBridges adds the parts that lie between two selected ones, if no heading begins there and the gap is short. They come
// directly after the lower of the two. units are all parts of the text, in its order. They fill
// what the selected parts leave of the limit.
func withBridges(selected, units []Selected, limit int) []Selected {
	ranks := make(map[int]int, len(selected)) // by the start of a part
	for rank, s := range selected {
		ranks[s.Start] = rank
	}
	bridges := make([][]Selected, len(selected)) // by the rank that they follow
	last, chars := -1, 0                         // the selected part before, and the length of the gap since
	for i, u := range units {
		rank, is := ranks[u.Start]
		opens := headingOf(u.Text) != ""
		switch {
		case is:
			if last >= 0 && chars > 0 && chars <= bridgeChars {
				lower := max(rank, ranks[units[last].Start])
				for _, between := range units[last+1 : i] {
					between.Subject = selected[lower].Subject
					bridges[lower] = append(bridges[lower], between)
				}
			}
			last, chars = i, 0
		case opens:
			last = -1
		default:
			chars += u.End - u.Start
		}
	}
	room := limit - len(selected)
	var out []Selected
	for rank, s := range selected {
		n := max(0, min(room, len(bridges[rank])))
		out = append(append(out, s), bridges[rank][:n]...)
		room -= n
	}
	return out
}
