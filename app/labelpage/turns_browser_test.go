package labelpage_test

import (
	"context"
	"testing"
)

// Parts of the page, each with answers that come in the wrong order.
func turns(t *testing.T, browser context.Context) {
	s := serveDigits(t, 40, 15)
	p := enter(t, browser, s, "Ada")
	for _, c := range []struct{ name, script, want string }{
		{"the last of several", `
			const { Latest } = await import('/assets/turns.js');
			const latest = new Latest();
			const [first, second] = [latest.begin(), latest.begin()];
			return [first(), second()].join();`, "false,true"},
		{"one at a time, each begun after it was asked for", `
			const { oneAtATime } = await import('/assets/turns.js');
			const ends = [];
			const ask = oneAtATime(() => new Promise((resolve, reject) => ends.push([resolve, reject])));
			const first = ask().catch((failure) => failure);
			const [second, third] = [ask(), ask()];
			const begun = [ends.length];
			ends[0][1]('failed');
			begun.push(await first);
			while (ends.length < 2) await new Promise((resolve) => setTimeout(resolve));
			const fourth = ask();
			ends[1][0]('2nd');
			begun.push(await second, await third);
			while (ends.length < 3) await new Promise((resolve) => setTimeout(resolve));
			ends[2][0]('3rd');
			return [...begun, await fourth].join();`, "1,failed,2nd,2nd,3rd"},
		{"the later one of two states of one version", `
			const { Store } = await import('/assets/store.js');
			const store = new Store(() => 'Ada');
			const taken = (sequence, busy) => ({ version: 7, sequence, model: { version: 7, busy } });
			store.set(taken(2, false), 'Ada');
			store.set(taken(1, true), 'Ada');
			return String(store.state.model.busy);`, "false"},
		{"points that were answered since they were asked for", `
			const { Ahead } = await import('/assets/ahead.js');
			const ahead = new Ahead({ person: () => 'Eve', set: () => ({}), avoided: () => [] });
			const ends = [];
			window.fetch = (path, options) => (path.startsWith('/api/next') ? new Promise((resolve) => ends.push(resolve)) : fetch(path, options));
			const gives = (...rows) => ends.shift()(Response.json({ points: rows.map((row) => ({ row, reason: '', blind: false })) }));
			const filled = () => new Promise((resolve) => ahead.addEventListener('filled', resolve, { once: true }));
			ahead.restart();
			ahead.leave([2]);
			let next = filled();
			gives(1, 2, 3);
			await next;
			const got = [ahead.rows];
			await new Promise((resolve) => setTimeout(resolve));
			ahead.renew();
			ahead.renew(); // rows came after the program chose
			while (!ends.length) await new Promise((resolve) => setTimeout(resolve));
			next = filled();
			gives();
			await next;
			next = filled();
			while (!ends.length) await new Promise((resolve) => setTimeout(resolve));
			gives(4);
			await next;
			return JSON.stringify([...got, ahead.rows]);`, "[[1,3],[1,3,4]]"},
		{"a prediction", `
			const { Prediction } = await import('/assets/prediction.js');
			const prediction = new Prediction({ person: 'Eve', store: { state: { set: {} }, className: String, rank: () => 0 } }, () => {});
			const ends = [];
			window.fetch = () => new Promise((resolve) => ends.push(resolve));
			const gives = (at, of) => ends[at](Response.json({ points: [{ row: 1, prediction: { class: of, probability: 1 } }] }));
			const entry = { row: 1 };
			prediction.shown = true;
			const asked = [prediction.show(entry), prediction.show(entry)];
			gives(1, 5);
			gives(0, 4);
			await Promise.all(asked);
			return prediction.bars.querySelector('.name').textContent;`, "5"},
		{"a tap on a point of the map that was pointed at", `
			const { Hover } = await import('/assets/hover.js');
			const hover = new Hover({ person: 'Eve', store: { state: { set: {} } } }, () => ({}));
			const room = document.createElement('div');
			room.append(hover.element);
			const ends = [];
			window.fetch = () => new Promise((resolve) => ends.push(resolve));
			const asked = async (n) => { while (ends.length < n) await new Promise((resolve) => setTimeout(resolve, 5)); };
			const gives = (at) => ends[at](Response.json({ points: [{ row: 1, text: 'one' }] }));
			hover.show(1, 0, 0);
			await asked(1);
			hover.show(1, 0, 0, true);
			await asked(2);
			gives(1);
			while (hover.element.hidden) await new Promise((resolve) => setTimeout(resolve, 5));
			gives(0);
			await new Promise((resolve) => setTimeout(resolve, 50));
			return String(hover.element.querySelectorAll('button').length);`, "1"},
		{"a region that cannot be counted", `
			const { Region } = await import('/assets/region.js');
			const region = new Region({ person: 'Eve', store: { state: { set: { kind: 'text' } }, points: (n) => n + ' points' }, queue: { rows: () => [] } }, { shown: () => {}, closed: () => {} });
			const ends = [];
			window.fetch = () => new Promise((...both) => ends.push(both));
			const asked = [region.preview([]), region.preview([])];
			ends[1][0](Response.json({ rows: [], settled: [], total: 0, sample: [] }));
			await asked[1];
			ends[0][1](new Error());
			await asked[0];
			return String(region.open);`, "true"},
		{"the map's labels", `
			const { MapView } = await import('/assets/map.js');
			const store = Object.assign(new EventTarget(), { state: { model: { map: 1 }, classes: [{ id: 0, name: 'a' }] }, points: (n) => n + ' point', rank: () => 0 });
			const app = { store };
			const view = app.view = new MapView(app);
			let [label, late] = [0, false];
			const ends = [];
			window.fetch = async (path) => {
				if (path === '/api/map') return new Response(new Uint32Array([1, 1, 0, 0]));
				const answer = new Response(new Uint8Array([1, 0, 0, 0, label]));
				if (late) await new Promise((resolve) => ends.push(resolve));
				return answer;
			};
			const soon = () => new Promise((resolve) => setTimeout(resolve, 20));
			await view.enter();
			[label, late] = [1, true];
			store.dispatchEvent(new Event('state'));
			[label, late] = [0, false];
			store.dispatchEvent(new Event('state'));
			await soon();
			for (const end of ends) end();
			await soon();
			return view.canvas.ariaLabel;`, "Map of 1 point, 0 of them labelled"},
		{"differences that were settled since they were asked for", `
			const { PeopleView } = await import('/assets/people.js');
			const store = Object.assign(new EventTarget(), { state: { set: {}, people: [] }, points: String, className: String, rank: () => 0 });
			const view = new PeopleView({ person: 'Eve', store, queue: { rows: () => [] }, record() {} });
			const ends = [];
			window.fetch = (path, options) => (path.startsWith('/api/people') ? new Promise((resolve) => ends.push(resolve)) : fetch(path, options));
			const gives = (at) => ends[at](Response.json({ pairs: [], differences: [{ row: 1, labels: [], adjudicated: false }] }));
			const shown = () => view.element.querySelectorAll('.suspect').length;
			view.enter();
			gives(0);
			while (!shown()) await new Promise((resolve) => setTimeout(resolve, 5));
			while (view.element.ariaBusy) await new Promise((resolve) => setTimeout(resolve));
			view.enter();
			view.aim()(3);
			gives(1);
			while (view.element.ariaBusy) await new Promise((resolve) => setTimeout(resolve, 5));
			return String(shown());`, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := p.in(t)
			if got := awaited[string](p, "(async () => { const { fetch } = window; try {"+c.script+"} finally { window.fetch = fetch; } })()"); got != c.want {
				t.Errorf("%s, not %s", got, c.want)
			}
		})
	}
}
