package words

// EstimateTokens estimates the tokens of a text: a quarter of a token for each ASCII byte, one for any other character.
// Real tokenizers use one token for 4 to 5 bytes of English, and 0.6 to 1.3 tokens for a Chinese or Japanese character.
func EstimateTokens(s string) int {
	ascii, other := 0, 0
	for _, r := range s {
		if r < 0x80 {
			ascii++
		} else {
			other++
		}
	}
	return (ascii+3)/4 + other
}
