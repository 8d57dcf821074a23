package words

// Common returns the pairs of a longest common subsequence of n and m things, the one that begins last in the second, in O(nm).
func Common(n, m int, same func(i, j int) bool) (pairs [][2]int) {
	length := make([][]int, n+1) // from i and j on
	for i := n; i >= 0; i-- {
		length[i] = make([]int, m+1)
		for j := m - 1; j >= 0 && i < n; j-- {
			if length[i][j] = max(length[i+1][j], length[i][j+1]); same(i, j) {
				length[i][j] = max(length[i][j], length[i+1][j+1]+1)
			}
		}
	}
	for i, j := 0, 0; length[i][j] > 0; {
		switch {
		case len(pairs) == 0 && length[0][j+1] == length[0][j]:
			j++
		case same(i, j) && length[i][j] == length[i+1][j+1]+1:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] == length[i][j]:
			i++
		default:
			j++
		}
	}
	return pairs
}
