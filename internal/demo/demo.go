package demo

import "context"

// Run drives a loop over the user's documents without a model: its claims are sentences copied from them. It ends with two
// deliberate mistakes, which must not pass, and a report.
func Run(ctx context.Context, cfg Config) (Result, error) {
	o := &own{loop: loop{Config: cfg}}
	o.say("\n%s\n", o.Question)
	for _, step := range []func(context.Context) error{o.start, o.rounds, o.mistakes, o.report} {
		if err := step(ctx); err != nil {
			return o.result, err
		}
	}
	return o.result, nil
}

// Play drives a loop over the embedded collection as a recorded model did, with a recorded second reader. Every
// verdict in the transcript is computed while it runs.
func Play(ctx context.Context, cfg Config, collectionDir string) (Result, error) {
	rec, answers, by, err := loadRecording()
	if err != nil {
		return Result{}, err
	}
	p := &player{loop: loop{Config: cfg}, rec: rec, answers: answers, reader: by, dir: collectionDir, ids: map[string]string{}, caught: map[string]bool{}}
	p.Question = rec.Question
	for _, step := range []func(context.Context) error{p.start, p.rounds, p.draft, p.review, p.balance, p.correct, p.report, p.try} {
		if err := step(ctx); err != nil {
			return p.result, err
		}
	}
	return p.result, nil
}
