package bounded

import "testing"

func TestBounded(t *testing.T) {
	c := New[string, *int](100)
	bytes := func() int { return c.used }
	a, b, large := new(int), new(int), new(int)
	c.Keep("a", a, 40)
	c.Keep("b", b, 40)
	if got := c.Keep("a", new(int), 1); got != a || bytes() != 80 {
		t.Errorf("a second value replaced the kept one, or counts: %d bytes", bytes())
	}
	c.Keep("a", a, 70) // grows, and was used last
	if _, ok := c.Get("b"); ok || bytes() != 70 {
		t.Errorf("the value used first stays beyond the limit: %d bytes", bytes())
	}
	c.Keep("large", large, 500)
	if got, _ := c.Get("large"); got != large || bytes() != 500 {
		t.Errorf("the last value is kept even if it is too large: %d bytes", bytes())
	}
	c.Remove("large")
	c.Remove("unknown")
	if _, ok := c.Get("large"); ok || bytes() != 0 {
		t.Errorf("%d bytes after the last value was removed", bytes())
	}
}
