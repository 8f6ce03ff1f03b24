package labelpage_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
)

// small mounts a file system of the given number of kilobytes, or skips the test.
func small(t *testing.T, kilobytes int) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root mounts a small file system")
	}
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+strconv.Itoa(kilobytes)+"k", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("no small file system: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", folder).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return folder
}

// fill writes a file that takes all free space of a folder's file system, and returns
// it.
func fill(t *testing.T, folder string) string {
	t.Helper()
	f, err := os.Create(filepath.Join(folder, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return f.Name()
}

// While the disk is full the page says so and keeps the labels. Once there is space
// every label is in the store once.
func fullDisk(t *testing.T, browser context.Context) {
	folder := small(t, 2048)
	s := serveDigitsIn(t, folder, 100, 6)
	p := enter(t, browser, s, "Ada")
	p.labels(3)
	p.saved()
	filler := fill(t, folder)
	for refused := false; !refused; { // the log may have room for some labels
		p.labels(1)
		p.until("['saved', 'refused'].includes(document.getElementById('saving').dataset.kind)")
		refused = value[string](p, "document.getElementById('saving').dataset.kind") == "refused"
	}
	before := len(s.settled())
	p.until("document.getElementById('notices').innerText.includes('the disk is full: make room')")
	p.labels(2)
	if n := value[int](p, "document.querySelectorAll('.strip .unsaved').length"); n != 3 {
		t.Errorf("%d labels are marked as not saved, not 3", n)
	}
	if n := len(s.settled()); n != before {
		t.Errorf("%d labels were taken by a disk that is full", n-before)
	}
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	p.saved()
	p.until("!document.getElementById('notices').innerText.includes('the disk is full')")
	p.labels(2)
	p.once()
}
