package loopstate

import "testing"

// What says that nobody aborts does not abort, in any words. What says anything else is the user's reason.
func TestDeclines(t *testing.T) {
	for _, reason := range []string{"no", "No.", "n/a", "false", "do not", "", "  ", "-", "keep going", "Keep going!", "continue",
		"please continue the research", "go on", "don't abort", "don’t stop", "Do not stop the loop before it is done",
		"the user does not want to stop", "should not be aborted", "There is no reason to abort", "never abort this", "without aborting",
		"No, the user wants to continue with the second part", "not requested by the user", "the user has not asked to stop",
		"not applicable at this time", "not yet, there are open gaps", "carry on until the end", "Continue until the budget ends",
		"user said no", "nicht abbrechen", "bitte weiter machen", "不要停止", "请继续", "继续", "нет", "N", "NaN",
		`[""]`, "nein", "否", "false (default)", "None given"} {
		if !declines(reason) {
			t.Errorf("%q aborts", reason)
		}
	}
	for _, reason := range []string{"enough", "by the user", "changed my mind", "stop", "The user wants to stop", "stop, do not continue",
		"the user lost interest", "out of budget", "Cancelled by the user; he will continue in another tool", "stopped by the user",
		"停止", "用户离开了", "der Nutzer möchte abbrechen"} {
		if declines(reason) {
			t.Errorf("%q does not abort", reason)
		}
	}
}
