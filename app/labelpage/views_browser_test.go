package labelpage_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lapsvm/app/labelpage"
	"lapsvm/internal/machines/train"
)

// learned labels points correctly and waits until the machine has learnt them.
func (p *tab) learned(n int) {
	p.t.Helper()
	p.labels(n)
	p.saved()
	p.until(fmt.Sprintf("document.querySelector('.machine').textContent === 'The model has all %d labels' && !document.querySelector('.doing')", n))
}

// outlined tells whether the outline of a region is drawn, and nothing of it behind its preview.
const outlined = `(() => {
	const overlay = document.querySelector('.map-overlay');
	const [map, over] = [overlay, document.querySelector('.region')].map((e) => e.getBoundingClientRect());
	const { data } = overlay.getContext('2d').getImageData(0, 0, overlay.width, overlay.height);
	let drawn = false;
	for (let at = 3; at < data.length; at += 4) {
		if (!data[at]) continue;
		drawn = true;
		const x = map.left + (at >> 2) % overlay.width / devicePixelRatio;
		const y = map.top + Math.floor((at >> 2) / overlay.width) / devicePixelRatio;
		if (x > over.left && x < over.right && y > over.top && y < over.bottom) return false;
	}
	return drawn;
})()`

// A region of the map is labelled after a preview, and taken back as one.
func region(t *testing.T, browser context.Context) {
	s := serveDigits(t, 150, 8)
	p := enter(t, browser, s, "Ada")
	p.learned(20)
	p.see("M", "map")
	p.until("document.querySelector('.legend').children.length > 0")
	selected := func() int {
		t.Helper()
		p.until("/selected/.test(document.querySelector('.region h2')?.innerText)")
		n, err := strconv.Atoi(strings.Fields(value[string](p, "document.querySelector('.region h2').innerText"))[0])
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	// By keys: the ring.
	for _, width := range []int64{390, 1280} {
		p.do(chromedp.EmulateViewport(width, 800))
		p.key("Home", "x", "Enter")
		if n := selected(); n == 0 {
			t.Error("the ring holds no point")
		}
		p.until(outlined)
		p.key("Escape")
	}
	p.until("document.querySelector('.region').hidden")
	p.same()
	// By the pointer: a lasso around the upper half.
	p.key("x")
	corners := [][2]float64{{110, 140}, {970, 140}, {970, 420}, {110, 420}, {110, 150}}
	p.do(chromedp.MouseEvent(chromedp.MousePressed, corners[0][0], corners[0][1], chromedp.ButtonLeft))
	for k := range corners[1:] {
		for step := 1; step <= 8; step++ {
			f := float64(step) / 8
			x := corners[k][0] + f*(corners[k+1][0]-corners[k][0])
			y := corners[k][1] + f*(corners[k+1][1]-corners[k][1])
			p.do(chromedp.MouseEvent(chromedp.MouseMoved, x, y, chromedp.ButtonLeft))
		}
	}
	p.do(chromedp.MouseEvent(chromedp.MouseReleased, 110, 150, chromedp.ButtonLeft))
	n := selected()
	p.until(outlined)
	if samples := value[int](p, "document.querySelectorAll('.samples img').length"); samples == 0 {
		t.Error("the preview shows no samples")
	}
	p.same()
	var labelling int
	if _, err := fmt.Sscanf(value[string](p, "document.querySelector('.what').innerText"), "A class key labels %d", &labelling); err != nil || labelling == 0 || labelling > n {
		t.Fatalf("of %d points %d are to be labelled: %v", n, labelling, err)
	}
	p.key("4")
	p.until("document.querySelector('.region').hidden")
	p.saved()
	if got := len(s.settled()); got != len(p.given)+labelling {
		t.Errorf("%d labels, not %d and %d", got, len(p.given), labelling)
	}
	p.key("z")
	p.until("document.getElementById('toast').innerText.startsWith('Undone')")
	p.same()
}

// A batch of points predicted alike is ticked where they are sure, corrected, and confirmed by keys.
func batch(t *testing.T, browser context.Context) {
	s := serveDigits(t, 200, 9)
	p := enter(t, browser, s, "Ada")
	p.learned(40)
	p.see("B", "batch")
	p.until("document.activeElement.matches('.batch-view .tile')")
	predicted := strings.Fields(value[string](p, "document.querySelector('.batch-view h2 .name').innerText"))[0]
	rows := value[[]int](p, "[...document.querySelectorAll('.tile')].map((tile) => Number(tile.dataset.row))")
	if len(rows) < 2 {
		t.Fatalf("a batch of %d", len(rows))
	}
	ticks := value[[]bool](p, "[...document.querySelectorAll('.tile')].map((tile) => tile.classList.contains('ticked'))")
	if !ticks[1] || !slices.IsSortedFunc(ticks, func(a, b bool) int { return strings.Compare(fmt.Sprint(b), fmt.Sprint(a)) }) {
		t.Errorf("ticks are %v: the surest do not come first", ticks)
	}
	p.key("n", "ArrowRight", "x", "ArrowLeft")
	other := "0"
	if predicted == other {
		other = "1"
	}
	p.key(other)
	p.until(fmt.Sprintf("document.querySelector('.tile').innerText.trim() === %q", other))
	p.key("Enter")
	p.until(fmt.Sprintf("document.querySelector('.tile')?.dataset.row != %d", rows[0]))
	p.saved()
	for k, row := range rows {
		if k == 0 {
			p.given[row] = other
		} else if ticks[k] && k != 1 {
			p.given[row] = predicted
		}
	}
	p.same()
}

// knowing is a machine that suspects exactly the wrong labels.
type knowing struct {
	labelpage.Machine
	truth, labels []int
}

func (m *knowing) Apply(ctx context.Context, classes []string, changes []labelpage.Change) (*labelpage.Answer, error) {
	for _, c := range changes {
		m.labels[c.Point] = c.Class
	}
	return m.Machine.Apply(ctx, classes, changes)
}

func (m *knowing) Audit(context.Context) ([]labelpage.Suspicion, error) {
	var all []labelpage.Suspicion
	for i, c := range m.labels {
		if c >= 0 && c != m.truth[i] {
			all = append(all, labelpage.Suspicion{Point: i, Given: c, Suggested: m.truth[i], Suspicion: 0.9, Why: "it is known"})
		}
	}
	return all, nil
}

// Wrong labels are shown as suspicious: Enter corrects a label, s keeps it.
func suspicious(t *testing.T, browser context.Context) {
	s := serveDigits(t, 100, 10)
	s.end()
	// Classes have numbers from 0 in the order in which they were added: those of the digits.
	s.machine = func(m labelpage.Machine) labelpage.Machine {
		return &knowing{m, s.truth, slices.Clone(s.truth)}
	}
	s.start()
	p := enter(t, browser, s, "Ada")
	p.learned(20)
	wrong := make(map[int]string)
	for range 2 {
		row := p.row()
		p.given[row] = p.digit(row)
		wrong[row] = strconv.Itoa(1 + s.truth[row-1]%9)
		p.label(wrong[row])
	}
	p.saved()
	p.until(`(() => { const r = new XMLHttpRequest(); r.open('GET', '/api/suspicious', false); r.setRequestHeader('Authorization', 'Bearer ' + sessionStorage.getItem('token')); r.send(); return JSON.parse(r.responseText).labels.length === 2; })()`)
	p.see("C", "check")
	p.until("document.querySelectorAll('.suspect').length === 2 && document.activeElement.matches('.suspect')")
	mended := value[int](p, "Number(document.activeElement.dataset.row)")
	if reason := value[string](p, "document.activeElement.querySelector('.why').textContent"); reason != "it is known" {
		t.Errorf("the reason shown is %q", reason)
	}
	p.key("Enter")
	p.until("document.querySelectorAll('.suspect').length === 1 && document.activeElement.matches('.suspect')")
	kept := value[int](p, "Number(document.activeElement.dataset.row)")
	p.key("s")
	p.until("document.querySelectorAll('.suspect').length === 0")
	p.saved()
	p.given[kept] = wrong[kept]
	if mended == kept {
		t.Errorf("row %d is listed twice", kept)
	}
	p.same()
}

// choosing is a machine whose recipe was chosen by labels.
type choosing struct {
	labelpage.Machine
	choice train.Choice
}

func (m *choosing) Recipe() train.Recipe {
	r := m.Machine.Recipe()
	r.Choice = &m.choice
	return r
}

// The error that labels tell is shown as train says it, with a word on labels that were asked for. Labels that tell none
// have no figure.
func errorToExpect(t *testing.T, browser context.Context) {
	for _, c := range []struct {
		choice train.Choice
		want   []string
		not    string
	}{
		{train.Choice{Candidates: 3, Labels: 20, GammaI: 1, Neighbours: 5, Verdict: train.Helps, Expected: &train.Expected{Error: 10, ErrorLow: 1.8, ErrorHigh: 40.4, SupervisedError: 70, Gain: 60, GainError: 20}},
			[]string{"10 % of 20 held-out labels wrong", "between 1.8 and 40 %", "The unlabelled points help: 60 ± 20", "By the 0 labels that there were", "harder than most"}, "cannot be told"},
		{train.Choice{Candidates: 3, Labels: 6, GammaI: 1, Neighbours: 5, Verdict: train.CannotBeTold}, []string{"cannot be told from 6 held-out labels", "10 are the fewest"}, "%"},
		{train.Choice{}, []string{"not known, as no label was held out"}, "%"},
	} {
		s := serveDigits(t, 60, 16)
		s.end()
		s.machine = func(m labelpage.Machine) labelpage.Machine { return &choosing{m, c.choice} }
		s.start()
		p := enter(t, browser, s, "Ada")
		p.learned(12)
		p.see("R", "progress")
		p.until("document.querySelector('.told')")
		said := value[string](p, "document.querySelector('.told').innerText")
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%d labels: %q is shown, without %q", c.choice.Labels, said, want)
			}
		}
		if strings.Contains(said, c.not) {
			t.Errorf("%d labels: %q is shown, with %q", c.choice.Labels, said, c.not)
		}
		s.end()
	}
}

// Labelled points are found by their state, and labelled in groups.
func find(t *testing.T, browser context.Context) {
	s := serveDigits(t, 120, 11)
	p := enter(t, browser, s, "Ada")
	p.learned(10)
	p.see("F", "find")
	p.until("document.querySelectorAll('.find-view .tile').length === 60")
	p.filter("label")
	p.until("document.querySelectorAll('.find-view .tile').length === 10")
	p.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.find-view .tile').focus()"))
	rows := value[[]int](p, "[...document.querySelectorAll('.tile')].map((tile) => Number(tile.dataset.row))")
	p.key("x", "ArrowRight", "x")
	p.until("document.querySelector('.find-view .hint').innerText.includes('2 selected')")
	p.key("6")
	p.saved()
	p.given[rows[0]], p.given[rows[1]] = "6", "6"
	p.same()
	p.key("z")
	p.until("document.getElementById('toast').innerText.startsWith('Undone')")
	p.saved()
	for _, row := range rows[:2] {
		p.given[row] = p.digit(row)
	}
	p.same()
}

// views are all of the page's, with their keys.
var views = []struct{ key, name string }{
	{"L", "label"}, {"B", "batch"}, {"F", "find"}, {"M", "map"}, {"C", "check"}, {"R", "progress"}, {"P", "people"},
}

// nameless lists the controls and pictures without a name for screen readers.
const nameless = `[...document.querySelectorAll('button, a[href], input, select, textarea, canvas, svg[role], meter, [role=option], [role=listbox], dialog, nav, aside, main section')]
	.filter((e) => e.checkVisibility() && e.ariaHidden !== 'true')
	.filter((e) => !(e.ariaLabel || e.innerText?.trim() || e.labels?.length || e.title || e.getAttribute('aria-labelledby') || e.querySelector('img[alt]:not([alt=""])')))
	.map((e) => e.outerHTML.slice(0, 120))`

// Every view has names for screen readers, and fits a window 390 pixels wide
// as one 1,280 wide: nothing has to be scrolled sideways.
func accessible(t *testing.T, browser context.Context) {
	set, truth := digits(150, 12)
	s := serve(t, set, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "a class with quite a long name indeed", "<b>bold</b>")
	s.truth = truth
	p := enter(t, browser, s, "Ada")
	p.learned(20)
	for _, width := range []int64{1280, 390} {
		p.do(chromedp.EmulateViewport(width, 800))
		for _, view := range views {
			p.see(view.key, view.name)
			p.until("!document.querySelector('main [aria-busy=true]')")
			if names := value[[]string](p, nameless); len(names) > 0 {
				t.Errorf("%s: without a name: %q", view.name, names)
			}
			over := value[[]string](p, `[...document.querySelectorAll('body, main, .side, .bar, .rail, dialog')]
				.filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'none').map((e) => e.className || e.tagName + ' ' + e.scrollWidth)`)
			if len(over) > 0 {
				t.Errorf("%s, %d pixels wide: %q has to be scrolled sideways", view.name, width, over)
			}
			if value[bool](p, "Boolean(document.querySelector('main b, .side b'))") {
				t.Errorf("%s: a class's name became part of the page", view.name)
			}
			p.key("Escape")
			p.do(chromedp.Evaluate[chromedp.Void]("document.activeElement.blur()"))
		}
		for _, key := range []string{"?", "E"} {
			p.key(key)
			p.until("document.querySelector('dialog')")
			if names := value[[]string](p, nameless); len(names) > 0 {
				t.Errorf("dialog %s: without a name: %q", key, names)
			}
			if n := value[int](p, "document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth"); n > 1 {
				t.Errorf("dialog %s, %d pixels wide: %d pixels too wide", key, width, n)
			}
			p.key("Escape")
			p.until("!document.querySelector('dialog')")
		}
	}
}
