package index

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// linkedFiles are a page that has one word of the question, pages that have two, and a page whose link to the first has all.
func linkedFiles(t *testing.T, b *Builder, names ...string) {
	t.Helper()
	for _, name := range names {
		d := Document{Title: name, Text: "A branch grows in a forest near the river, where folders of paper are made."}
		switch name {
		case "worktree.html":
			d.Text = "Manage several working trees, each with a branch that is checked out."
		case "overview.html":
			d.Text = "What the commands are for."
			d.Links = []Link{{"worktree.html", "worktree: work on two branches at once in separate folders"}, {"missing.html", "two branches in folders"}}
		}
		add(t, b, name, d)
	}
}

// A document is found by the texts of the links to it, in the same order however the files are spread over segments.
func TestFindReadsLinks(t *testing.T) {
	names := []string{"worktree.html", "overview.html"}
	for i := range 8 {
		names = append(names, fmt.Sprintf("forest%d.html", i))
	}
	part := func(names ...string) Part {
		return Part{Segment: segmentOf(t, func(b *Builder) { linkedFiles(t, b, names...) }), Folder: "/manual"}
	}
	q := Parse("branches in separate folders")
	one, damaged := Find([]Part{part(names...)}, q, 3)
	if damaged != nil || len(one) != 3 || one[0].About.Path != "worktree.html" {
		t.Fatalf("%v, %v", damaged, paths(one))
	}
	many, _ := Find([]Part{part(names[1:4]...), part(names[4:]...), part(names[0])}, q, 3)
	if diff := cmp.Diff(paths(one), paths(many)); diff != "" {
		t.Errorf("in several segments (-one +many):\n%s", diff)
	}
	for i := range one {
		if one[i].Score != many[i].Score {
			t.Errorf("%s has the score %v in one segment and %v in several", one[i].About.Path, one[i].Score, many[i].Score)
		}
	}

	if hits, _ := Find([]Part{part(names...)}, q, 0); hits != nil {
		t.Errorf("no documents were asked for: %v", paths(hits))
	}
	deleted := part(names...)
	deleted.Deleted = NewBits(len(names))
	deleted.Deleted.Set(1)
	if hits, _ := Find([]Part{deleted}, q, 3); hits[0].About.Path == "worktree.html" {
		t.Error("a link of a deleted file counts")
	}
	elsewhere := part(names[1:]...)
	elsewhere.Folder = "/other"
	if hits, _ := Find([]Part{elsewhere, part(append(names[2:], names[0])...)}, q, 3); hits[0].About.Path == "worktree.html" {
		t.Error("a link of another folder counts")
	}
	if hits, _ := Find([]Part{part(names...)}, Parse("branches in separate folders -trees"), 3); hits[0].About.Path == "worktree.html" {
		t.Error("a document that the query excludes is found by its links")
	}
}

// Of two formats of a document, the worse one comes after the other documents.
func TestFindFoldsFormats(t *testing.T) {
	p := []Part{{Segment: segmentOf(t, func(b *Builder) {
		for name, text := range map[string]string{
			"tag.txt": "A tag marks a release, and a tag has a name.", "tag.html.gz": "A tag marks a release with a name.", "tag/notes.txt": "The release has a tag.",
			"other.txt": "A release is made each spring, and the harvest each autumn, " + strings.Repeat("in the old valley ", 20),
		} {
			add(t, b, name, Document{Text: text})
		}
	})}}
	hits, _ := Find(p, Parse("release tag name"), 4)
	got := paths(hits)
	if len(got) != 4 || withoutExtension(got[0]) != "tag" || withoutExtension(got[3]) != "tag" {
		t.Errorf("found in the order %v", got)
	}
	if hits, _ := Find(p, Parse("release tag name path:.gz"), 4); len(hits) != 1 {
		t.Errorf("a format that is asked for is not found: %v", paths(hits))
	}
}
