package arguments

import (
	"encoding/json"
	"strings"
	"testing"
)

// The bound holds for every transport, and for lists in strings.
func TestTooManyValues(t *testing.T) {
	t.Parallel()
	list := "[" + strings.Repeat(`0,`, MaxValues) + "0]"
	quoted, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string]string{"a list": `{"gaps":` + list + `}`, "a list in a string": `{"gaps":` + string(quoted) + `}`} {
		err := (&Schema{}).Decode(json.RawMessage(raw), &struct{}{})
		if err == nil || !strings.Contains(err.Error(), "too many JSON values") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
