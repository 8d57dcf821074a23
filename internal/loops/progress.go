package loops

import "github.com/citeloop/citeloop/loopstate"

// Progress counts the items of a loop.
type Progress struct {
	Round          int `json:"round"` // rounds closed so far
	Searches       int `json:"searches,omitempty"`
	Questions      int `json:"all_questions,omitempty"`
	Evidence       int `json:"evidence,omitempty"`
	Sources        int `json:"sources"`
	Origins        int `json:"independent_origins,omitempty"` // of the sources; pages of one site or publisher are one
	VisitedURLs    int `json:"visited_urls,omitempty"`
	BadURLs        int `json:"bad_urls,omitempty"`
	OpenGaps       int `json:"open_gaps,omitempty"`
	MaterialGaps   int `json:"material_gaps,omitempty"`
	AnsweredGaps   int `json:"answered_gaps,omitempty"`
	OpenQuestions  int `json:"open_questions,omitempty"`
	Claims         int `json:"claims"` // not retracted
	Contradictions int `json:"contradictions,omitempty"`
	Failures       int `json:"evaluator_failures,omitempty"`
	SignOffs       int `json:"signoffs,omitempty"` // sign-offs in a row
	PendingReviews int `json:"pending_reviews,omitempty"`
}

func ProgressOf(st *loopstate.State) Progress {
	p := Progress{
		Round: st.Round, Searches: len(st.Searches), Questions: len(st.Questions), Evidence: len(st.Evidence), Sources: len(st.Sources),
		Origins:     st.Origins(),
		VisitedURLs: len(st.Visited), BadURLs: len(st.Bad), MaterialGaps: len(st.MaterialGaps()),
		Claims: len(st.CurrentClaims()), Contradictions: len(st.Contradictions), Failures: len(st.Failures), SignOffs: st.SignOffs,
		PendingReviews: len(st.PendingReviews()),
	}
	for _, g := range st.Gaps {
		switch g.Status {
		case loopstate.GapOpen:
			p.OpenGaps++
		case loopstate.GapAnswered:
			p.AnsweredGaps++
		case loopstate.GapUnanswerable:
			p.OpenQuestions++
		}
	}
	return p
}
