package web

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/citeloop/citeloop/internal/report"
)

// Requests for one page share a check, and few checks run at a time.
func TestDeliveriesAreShared(t *testing.T) {
	for _, tt := range []struct {
		name              string
		pages, begun, all int32
	}{
		{"one page", 1, 1, 1},
		{"ten pages", 10, maxDelivered, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDeliveries()
				var begun atomic.Int32
				release := make(chan struct{})
				var wg sync.WaitGroup
				for i := range 20 {
					wg.Go(func() {
						doc, err := d.report(t.Context(), fmt.Sprint(int32(i)%tt.pages), func(context.Context) (report.Document, error) {
							begun.Add(1)
							<-release
							return report.Document{Query: "q"}, nil
						})
						if err != nil || doc.Query != "q" {
							t.Errorf("%+v, %v", doc, err)
						}
					})
				}
				synctest.Wait()
				if n := begun.Load(); n != tt.begun {
					t.Errorf("%d checks run at a time, want %d", n, tt.begun)
				}
				close(release)
				wg.Wait()
				if n := begun.Load(); n != tt.all {
					t.Errorf("%d checks, want %d", n, tt.all)
				}
			})
		})
	}
}
