package resources

import "testing"

func FuzzParseAddress(f *testing.F) {
	loop := "0198c0de-0000-7000-8000-000000000001"
	for _, seed := range []string{"", Root, Root + loop, Root + loop + "/brief", Root + loop + "/sources/S1/0-10", Root + "../x",
		Root + loop + "/sources/S1/10-010"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		a, ok := parseAddress(uri)
		if ok && a.String() != uri {
			t.Errorf("%q is read as %+v, which is spelled %q", uri, a, a)
		}
		if !ok && a != (address{}) {
			t.Errorf("%q is no address and reads %+v", uri, a)
		}
	})
}
