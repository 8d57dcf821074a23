package pdf

// The converters of the 1990s call the characters of TeX's bitmap fonts a0 to a255, after their codes. Some of
// these are names of ornaments as well, and every reader takes them for those: ❚❤❡ is The. A font of bitmaps
// has no name; one of ornaments has.
const (
	ornaments     = "❛❜❝❞❡❢❣❤✐❥❦❧♠♥♦♣✉✈✇①②③" + "❆❇❈❉❊❋●❍■❏❑▲▼◆❖❘❙❚❯❱❲❳❨❩" + "✵✶✷✸✹✺✻✼✽✾" + "✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✿❀❁❂❃❄❬❪④⑤⑥" + "✏✑✕✖"
	ornamentCodes = "abcdefghijklmnopuvwxyz" + "ABCDEFGHIJKLMNORSTUVWXYZ" + "0123456789" + "!\"#$%&'()*+,-./:;<=>?[]{|}" + "“”–—"
)

// ornamentReader reads ornaments as the characters whose codes they are named for.
type ornamentReader map[string]string

func newOrnamentReader() ornamentReader {
	read := ornamentReader{"✛": "ff", "✜": "fi", "✢": "fl", "✣": "ffi", "✤": "ffl"}
	to := []rune(ornamentCodes)
	for i, r := range []rune(ornaments) {
		read[string(r)] = string(to[i])
	}
	return read
}

// read is the character that is meant in a font.
func (o ornamentReader) read(s string, font *pdfFont) string {
	if font == nil || font.name != "" {
		return s
	}
	if letter, ok := o[s]; ok {
		return letter
	}
	return s
}
