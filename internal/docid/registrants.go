package docid

import "strings"

// registrants are the sites at which the registry has the documents of a DOI prefix. What a page of such a site states about
// DOIs with the prefix is the publisher's own statement. Sites where anybody can upload a file are not among them. From the
// public records of doi.org, for the publishers with most articles; joined by spaces.
var registrants = map[string]string{
	"10.1001": "jamanetwork.com", "10.1002": "wiley.com", "10.1007": "springer.com",
	"10.1016": "sciencedirect.com cell.com thelancet.com", "10.1017": "cambridge.org", "10.1021": "acs.org",
	"10.1029": "wiley.com", "10.1038": "nature.com", "10.1039": "rsc.org", "10.1046": "wiley.com", "10.1056": "nejm.org",
	"10.1057": "springer.com", "10.1063": "aip.org", "10.1073": "pnas.org", "10.1074": "jbc.org", "10.1080": "tandfonline.com",
	"10.1083": "rupress.org", "10.1084": "rupress.org", "10.1088": "iopscience.iop.org", "10.1089": "liebertpub.com",
	"10.1090": "ams.org", "10.1093": "academic.oup.com", "10.1098": "royalsocietypublishing.org",
	"10.1101": "biorxiv.org medrxiv.org cshlp.org", "10.1103": "aps.org", "10.1109": "ieee.org computer.org",
	"10.1111": "wiley.com", "10.1126": "science.org", "10.1128": "asm.org", "10.1136": "bmj.com", "10.1137": "siam.org",
	"10.1140": "springer.com", "10.1145": "acm.org", "10.1146": "annualreviews.org", "10.1148": "rsna.org",
	"10.1152": "physiology.org", "10.1155": "hindawi.com", "10.1158": "aacrjournals.org", "10.1161": "ahajournals.org",
	"10.1162": "direct.mit.edu", "10.1163": "brill.com", "10.1172": "jci.org", "10.1175": "ametsoc.org", "10.1177": "sagepub.com",
	"10.1182": "ashpublications.org", "10.1186": "biomedcentral.com springeropen.com", "10.1200": "ascopubs.org",
	"10.1214": "projecteuclid.org", "10.1371": "plos.org", "10.1515": "degruyter.com degruyterbrill.com", "10.1590": "scielo.br",
	"10.2196": "jmir.org", "10.3233": "iospress.com", "10.3389": "frontiersin.org", "10.3390": "mdpi.com",
	"10.4230": "dagstuhl.de", "10.5194": "copernicus.org", "10.7554": "elifesciences.org", "10.12688": "f1000research.com",
	"10.17487": "rfc-editor.org", "10.18653": "aclanthology.org", "10.64898": "biorxiv.org medrxiv.org",
}

// uploads are sites where anybody can publish a file that states any DOI. Their host proves none.
var uploads = strings.Fields(`zenodo.org figshare.com osf.io ssrn.com researchsquare.com preprints.org chemrxiv.org hal.science
	researchgate.net academia.edu archive.org github.com github.io gitlab.com gitlab.io googleusercontent.com amazonaws.com dropbox.com`)

// archives identify documents by ids of their own, and state the DOIs of these documents from the publishers' records.
var archives = []string{"ncbi.nlm.nih.gov", "europepmc.org"}

// Registered reports whether a host is one that the registry names for the prefix of a normalised DOI.
func Registered(host, doi string) bool {
	prefix, _, _ := strings.Cut(doi, "/")
	return onSite(host, strings.Fields(registrants[prefix]))
}

// Uploads reports whether anybody can publish files on a host.
func Uploads(host string) bool { return onSite(host, uploads) }

// Archive reports whether a host is that of an archive whose records name the DOIs of its documents.
func Archive(host string) bool { return onSite(host, archives) }

func onSite(host string, sites []string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, site := range sites {
		if host == site || strings.HasSuffix(host, "."+site) {
			return true
		}
	}
	return false
}
