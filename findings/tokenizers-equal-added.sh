#!/bin/sh
# Two added tokens that the normalizer makes equal, such as Yes and YES in lower case: which of them the library tokenizers finds in a
# text is decided anew in each process. The same file and text get other numbers from run to run. Works in a temporary folder, and fails if this changes.
#
# Seen: tokenizers 0.23.2: of 30 processes some give [1] and the others [2]
set -e
version=0.23.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund tokenizers@$version >/dev/null
cat > a.js <<'JS'
const { Tokenizer } = require('tokenizers')
const token = (id, content) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: true, special: false })
const file = { version: '1.0', normalizer: { type: 'Lowercase' }, added_tokens: [token(1, 'Yes'), token(2, 'YES')], model: { type: 'WordLevel', vocab: { x: 0 }, unk_token: 'x' } }
Tokenizer.fromString(JSON.stringify(file)).encode('yes').then((e) => console.log(JSON.stringify(e.getIds())))
JS
for run in $(seq 30); do node a.js; done | sort | uniq -c > counts
echo "tokenizers $version: of 30 processes that encode the same text by the same file, so many give these numbers:"
cat counts
[ "$(wc -l < counts)" = 2 ]
