package report

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
)

var property = regexp.MustCompile(`(--[a-z-]+):\s*#([0-9a-f]{3,6})\b`)

// luminance returns the relative luminance of a color (WCAG 2.2).
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	if len(hex) == 3 {
		hex = hex[:1] + hex[:1] + hex[1:2] + hex[1:2] + hex[2:] + hex[2:]
	}
	var rgb [3]int
	if _, err := fmt.Sscanf(hex, "%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatalf("%q: %v", hex, err)
	}
	var lin [3]float64
	for i, v := range rgb {
		c := float64(v) / 255
		if c <= 0.04045 {
			lin[i] = c / 12.92
		} else {
			lin[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return 0.2126*lin[0] + 0.7152*lin[1] + 0.0722*lin[2]
}

// Every foreground color has enough contrast with its backgrounds in light, dark and print: 4.5 to 1 for text, 3 to 1 for
// graphics (WCAG 2.2, 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	sheet := styleSheet()
	themes := map[string]map[string]string{"light": {}, "dark": {}, "print": {}}
	for _, root := range regexp.MustCompile(`(?s):root \{(.*?)\}`).FindAllStringSubmatchIndex(sheet, -1) {
		theme := "light"
		if before := sheet[max(0, root[0]-60):root[0]]; strings.Contains(before, "prefers-color-scheme: dark") {
			theme = "dark"
		} else if strings.Contains(before, "print") || strings.Contains(before, "@page") {
			theme = "print"
		}
		for _, m := range property.FindAllStringSubmatch(sheet[root[2]:root[3]], -1) {
			themes[theme][m[1]] = m[2]
		}
	}
	for theme, colours := range themes {
		check := func(ink, ground string, least float64) {
			a, okA := colours[ink]
			b, okB := colours[ground]
			if !okA || !okB {
				t.Errorf("%s: %s or %s has no color", theme, ink, ground)
				return
			}
			x, y := luminance(t, a), luminance(t, b)
			if got := (max(x, y) + 0.05) / (min(x, y) + 0.05); got < least {
				t.Errorf("%s: %s on %s has a contrast of %.2f, less than %.1f", theme, ink, ground, got, least)
			}
		}
		for _, ground := range []string{"--paper", "--raised", "--tint"} {
			for _, ink := range []string{"--ink", "--soft", "--link", "--green", "--amber", "--red", "--violet", "--grey"} {
				check(ink, ground, 4.5)
			}
		}
		check("--mark-ink", "--mark", 4.5)
		for _, ground := range []string{"--d-ground", "--d-band"} {
			for _, ink := range []string{"--d-ink", "--d-soft", "--d-ok", "--d-inferred", "--d-unsupported", "--d-uncited", "--d-gap"} {
				check(ink, ground, 4.5)
			}
		}
		check("--d-new", "--d-ground", 3)
	}
}
