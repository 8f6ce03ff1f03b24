// Writes what the library tokenizers makes of the texts of reference.json, by each of its cases:
//
//	npm install tokenizers@0.23.2 && node record.js
const fs = require('fs'), path = require('path')
const { Tokenizer } = require('tokenizers')

const file = path.join(__dirname, 'reference.json')
const all = JSON.parse(fs.readFileSync(file))

async function record() {
	for (const c of all.cases) {
		const t = Tokenizer.fromString(JSON.stringify({ version: '1.0', added_tokens: all.added[c.model], ...c.asks, model: { ...all.models[c.model], ...c.model_asks } }))
		c.ids = []
		for (const text of all.texts) {
			const e = await t.encode(text), seen = e.getAttentionMask()
			c.ids.push(e.getIds().filter((_, k) => seen[k] == 1))
		}
	}
	const lines = (list) => '[\n' + list.map((x) => JSON.stringify(x)).join(',\n') + '\n]'
	fs.writeFileSync(file, `{"version": ${JSON.stringify(all.version)},\n"texts": ${lines(all.texts)},\n"added": ${JSON.stringify(all.added)},\n"models": ${JSON.stringify(all.models)},\n"cases": ${lines(all.cases)}}\n`)
}
record()
