package loops

import (
	"sync"

	"github.com/citeloop/citeloop/loopstate"
)

// maxMeters bounds the loops with a count in memory.
const maxMeters = 1_000

// meter counts the answers of the calls on each loop until its round closes; then the log has the count. A restart loses
// the count of the open round.
type meter struct {
	mu   sync.Mutex
	open map[string]loopstate.Answered
}

func (m *meter) add(loop string, a loopstate.Answered) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open == nil || len(m.open) >= maxMeters {
		m.open = map[string]loopstate.Answered{}
	}
	have := m.open[loop]
	m.open[loop] = loopstate.Answered{Calls: have.Calls + a.Calls, Chars: have.Chars + a.Chars}
}

func (m *meter) of(loop string) loopstate.Answered {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.open[loop]
}

// CountAnswer counts a call on a loop and the characters of its answer.
func (s *Service) CountAnswer(loop string, chars int) {
	s.meter.add(loop, loopstate.Answered{Calls: 1, Chars: chars})
}

// Cost is what a loop has cost so far.
type Cost struct {
	loopstate.Answered
	Minutes float64 `json:"minutes" jsonschema:"from the start to the last change"`
}

// costOf adds the calls of the open round to those of the closed ones.
func costOf(st *loopstate.State, open loopstate.Answered) Cost {
	return Cost{loopstate.Answered{Calls: st.Answers.Calls + open.Calls, Chars: st.Answers.Chars + open.Chars}, float64(st.ElapsedSeconds()/6) / 10}
}
