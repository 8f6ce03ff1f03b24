#!/bin/sh
# The library tokenizers reads the number of an added token in tokenizer.json and does not use it: a token that the vocabulary lacks
# gets the next free number, in the order of the file. Nothing is said. Works in a temporary folder, and fails if this changes.
#
# Seen: tokenizers 0.23.2: added tokens <a> with the id 7 and <b> with the id 5 are encoded as [1,2]
set -e
version=0.23.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund tokenizers@$version >/dev/null
cat > a.js <<'JS'
const { Tokenizer } = require('tokenizers')
const token = (id, content) => ({ id, content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true })
const file = { version: '1.0', added_tokens: [token(7, '<a>'), token(5, '<b>')], model: { type: 'WordLevel', vocab: { x: 0 }, unk_token: 'x' } }
Tokenizer.fromString(JSON.stringify(file)).encode('<a><b>').then((e) => console.log(JSON.stringify(e.getIds())))
JS
got=$(node a.js)
echo "tokenizers $version: added tokens <a> with the id 7 and <b> with the id 5 are encoded as $got"
[ "$got" = "[1,2]" ]
