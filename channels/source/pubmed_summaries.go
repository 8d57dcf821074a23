package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

// parsePubMed reads summaries in either form of esummary's version 2.0.
func parsePubMed(body []byte) ([]channels.Result, error) {
	read := pubMedJSON
	if isXML(body) {
		read = pubMedXML
	}
	records, err := read(body)
	if err != nil {
		return nil, err
	}
	var found []channels.Result
	for _, r := range records {
		found = append(found, r.result())
	}
	return found, nil
}

func pubMedJSON(body []byte) ([]pubMedRecord, error) {
	answer, err := channels.ReadJSON(body)
	if err != nil {
		return nil, err
	}
	if said := normal.Text(answer, "error") + strings.Join(normal.Texts(answer, "esummaryresult"), "; "); said != "" { // such as "Invalid uid … at position=0"
		return nil, pubMedFailure(said)
	}
	uids := answer.Get("result.uids")
	if !uids.IsArray() {
		return nil, channels.Fail(channels.StatusMalformed, "the answer has no summaries")
	}
	var records []pubMedRecord
	for _, uid := range uids.Array()[:min(len(uids.Array()), maxSummaries)] {
		s := answer.Get("result." + gjson.Escape(uid.String()))
		if !s.IsObject() || normal.Text(s, "error") != "" {
			records = append(records, pubMedRecord{}) // invalid or deleted: cleaning drops and counts it
			continue
		}
		r := pubMedRecord{
			UID: uid.String(), Title: normal.Text(s, "title"), Journal: normal.First(s, "fulljournalname", "source"), Types: normal.Texts(s, "pubtype"), Lang: normal.FirstOf(s, "lang"),
			Dates: []string{normal.Text(s, "epubdate"), normal.Text(s, "pubdate"), normal.Text(s, "sortpubdate")}, Authors: normal.Texts(s, "authors.#.name"), IDs: map[string]string{},
		}
		for _, id := range s.Get("articleids").Array() {
			r.name(normal.Text(id, "idtype"), normal.Text(id, "value"))
		}
		records = append(records, r)
	}
	return records, nil
}

// maxSummaries bounds the records that are read from one answer; at most MaxLimit are requested.
const maxSummaries = 500

func pubMedXML(body []byte) ([]pubMedRecord, error) {
	reply, err := channels.DecodeXML[struct {
		XMLName struct{} `xml:"eSummaryResult"`
		Error   string   `xml:"ERROR"`
		Set     *struct {
			Records []struct {
				UID     string   `xml:"uid,attr"`
				Title   string   `xml:"Title"`
				PubDate string   `xml:"PubDate"`
				EPub    string   `xml:"EPubDate"`
				Sort    string   `xml:"SortPubDate"`
				Source  string   `xml:"Source"`
				Full    string   `xml:"FullJournalName"`
				Types   []string `xml:"PubType>flag"`
				Lang    []string `xml:"Lang>string"`
				Authors []string `xml:"Authors>Author>Name"`
				IDs     []struct {
					Kind  string `xml:"IdType"`
					Value string `xml:"Value"`
				} `xml:"ArticleIds>ArticleId"`
			} `xml:"DocumentSummary"`
		} `xml:"DocumentSummarySet"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Error != "":
		return nil, pubMedFailure(reply.Error)
	case reply.Set == nil:
		return nil, channels.Fail(channels.StatusMalformed, "the answer has no summaries")
	}
	var records []pubMedRecord
	for _, s := range reply.Set.Records[:min(len(reply.Set.Records), maxSummaries)] {
		r := pubMedRecord{UID: s.UID, Title: s.Title, Journal: s.Full, Types: s.Types, Authors: s.Authors, Dates: []string{s.EPub, s.PubDate, s.Sort}, IDs: map[string]string{}}
		if len(s.Lang) > 0 {
			r.Lang = s.Lang[0]
		}
		r.Journal = cmp.Or(r.Journal, s.Source)
		for _, id := range s.IDs {
			r.name(id.Kind, id.Value)
		}
		records = append(records, r)
	}
	return records, nil
}

// name records an id. Of "pmc" and "pmcid", and of "pubmed" and "pmid", one is enough: the second repeats the first,
// sometimes as "pmc-id: PMC1762328;".
func (r pubMedRecord) name(kind, value string) {
	for _, same := range [][]string{{"pubmed", "pmid"}, {"pmc", "pmcid"}, {"doi"}} {
		if !slices.Contains(same, kind) {
			continue
		}
		for k := range r.IDs {
			if slices.Contains(same, k) {
				return
			}
		}
		r.IDs[kind] = value
	}
}

var pubMedRange = lazyregexp.New(`^(\d{4}(?: [A-Z][a-z]{2})?(?: \d{1,2})?)\s*-.*$`)

// pubMedDate returns the first day of "2019 Nov-Dec" and "2020 Jan 1-7", the year of "1998 Winter", and "2006/12/20
// 00:00" without the time.
func pubMedDate(s string) string {
	s = strings.TrimSpace(s)
	if m := pubMedRange.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	if day, _, ok := strings.Cut(s, " "); ok && strings.Contains(day, "/") {
		return day
	}
	if normal.Date(s) == "" && len(s) > 4 {
		return s[:4]
	}
	return s
}
