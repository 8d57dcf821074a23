package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/bench/claimset"
)

// said is a verifier's verdict on one claim.
type said struct {
	ID      string   `json:"id"`
	Status  string   `json:"status"`
	Support *float64 `json:"support,omitempty"`
}

// figures are the results on one group of claims. Shares are percentages, and nil if nothing is counted.
type figures struct {
	True             int      `json:"true"`
	False            int      `json:"false"`
	FalseGrounded    *float64 `json:"false_grounded"`
	FalseUnsupported *float64 `json:"false_unsupported"`
	TrueGrounded     *float64 `json:"true_grounded"`
	TrueUnsupported  *float64 `json:"true_unsupported"`
	Precision        *float64 `json:"grounded_precision"`
	AUROC            *float64 `json:"auroc,omitempty"` // only if every claim has a support
}

type result struct {
	All     figures            `json:"all"`
	Lang    map[string]figures `json:"lang"`
	Kind    map[string]figures `json:"kind"`
	Missing []string           `json:"missing"` // claims without a verdict; they count as neither
}

// score compares verdicts with labels.
func score(claims []claimset.Claim, verdicts []said) (result, error) {
	byID := map[string]said{}
	for _, v := range verdicts {
		if v.ID == "" { // for example the summary line of citeloop
			continue
		}
		if _, ok := byID[v.ID]; ok {
			return result{}, fmt.Errorf("duplicate verdict: %s", v.ID)
		}
		byID[v.ID] = v
	}
	r := result{Lang: map[string]figures{}, Kind: map[string]figures{}, Missing: []string{}}
	langs, kinds := map[string][]claimset.Claim{}, map[string][]claimset.Claim{}
	for _, c := range claims {
		if _, ok := byID[c.ID]; !ok {
			r.Missing = append(r.Missing, c.ID)
		}
		langs[c.Lang] = append(langs[c.Lang], c)
		kinds[c.Kind] = append(kinds[c.Kind], c)
	}
	if known := len(claims) - len(r.Missing); known != len(byID) {
		return r, fmt.Errorf("verdicts on unknown claims: %d; use the ids of claims.jsonl", len(byID)-known)
	}
	r.All = count(claims, byID)
	for lang, group := range langs {
		r.Lang[lang] = count(group, byID)
	}
	for kind, group := range kinds {
		r.Kind[kind] = count(group, byID)
	}
	return r, nil
}

func count(claims []claimset.Claim, byID map[string]said) figures {
	var n [2]int                          // by label
	statuses := [2]map[string]int{{}, {}} // by label
	var supports [2][]float64             // by label
	for _, c := range claims {
		v := byID[c.ID]
		n[c.Supported]++
		statuses[c.Supported][v.Status]++
		if v.Support != nil {
			supports[c.Supported] = append(supports[c.Supported], *v.Support)
		}
	}
	f := figures{
		True: n[1], False: n[0],
		FalseGrounded:    percent(statuses[0]["grounded"], n[0]),
		FalseUnsupported: percent(statuses[0]["unsupported"], n[0]),
		TrueGrounded:     percent(statuses[1]["grounded"], n[1]),
		TrueUnsupported:  percent(statuses[1]["unsupported"], n[1]),
		Precision:        percent(statuses[1]["grounded"], statuses[0]["grounded"]+statuses[1]["grounded"]),
	}
	if len(supports[0]) == n[0] && len(supports[1]) == n[1] {
		f.AUROC = auroc(supports[1], supports[0])
	}
	return f
}

func percent(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	p := 100 * float64(part) / float64(whole)
	return &p
}

// auroc returns the chance that a true claim has a higher support than a false one. A tie counts half.
func auroc(positive, negative []float64) *float64 {
	if len(positive) == 0 || len(negative) == 0 {
		return nil
	}
	wins := 0.0
	for _, p := range positive {
		for _, n := range negative {
			wins += float64(cmp.Compare(p, n)+1) / 2
		}
	}
	wins /= float64(len(positive) * len(negative))
	return &wins
}

// writeTable prints the result as a Markdown table.
func (r result) writeTable(w io.Writer) {
	fmt.Fprintln(w, "| claims | true / false | false grounded | false unsupported | true grounded | true unsupported | precision of grounded |")
	fmt.Fprintln(w, "| --- | --- | --- | --- | --- | --- | --- |")
	row := func(name string, f figures) {
		fmt.Fprintf(w, "| %s | %d / %d |%s|%s|%s|%s|%s|\n", name, f.True, f.False, cell(f.FalseGrounded),
			cell(f.FalseUnsupported), cell(f.TrueGrounded), cell(f.TrueUnsupported), cell(f.Precision))
	}
	row("**all**", r.All)
	for _, lang := range slices.Sorted(maps.Keys(r.Lang)) {
		row("language "+lang, r.Lang[lang])
	}
	for _, kind := range orderedKinds(r.Kind) {
		f := r.Kind[kind]
		f.Precision = nil // a kind has only true or only false claims
		row("kind `"+kind+"`", f)
	}
	if r.All.AUROC != nil {
		fmt.Fprintf(w, "\nAUROC of support: %.3f\n", *r.All.AUROC)
	}
	if len(r.Missing) > 0 {
		fmt.Fprintf(w, "\nNo verdict on %d claims: %s\n", len(r.Missing), strings.Join(r.Missing, ", "))
	}
}

// orderedKinds returns the known kinds in their usual order, then all others.
func orderedKinds(groups map[string]figures) []string {
	known := slices.Concat(trueKinds, falseKinds)
	return slices.SortedFunc(maps.Keys(groups), func(a, b string) int {
		rank := func(kind string) int {
			if i := slices.Index(known, kind); i >= 0 {
				return i
			}
			return len(known)
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
}

func cell(share *float64) string {
	if share == nil {
		return " "
	}
	return fmt.Sprintf(" %.0f %% ", *share)
}
