#!/bin/sh
# GraphML gives a <key> a <default>, which holds for each edge without a value of its own. networkx 2.8 does not apply it: such an edge has no
# weight, and counts 1. graphology applies it as a text beside numbers, so that 5 + "0.1" is "50.1". igraph reads 0.1.
#
# Needs networkx 2.8.8 and python-igraph 0.10.2, as Debian 12 has them: apt-get install python3-networkx python3-igraph. Works in a temporary
# folder, and fails if this changes.
#
# Seen: networkx: weights [5.0, None], degree of b 6.0
# Seen: igraph: weights [5.0, 0.1], degree of b 5.1
# Seen: graphology-graphml 0.5.2: weights [5,"0.1"], sum at b "50.1"
set -eu
version=0.5.2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > a.graphml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="w" for="edge" attr.name="weight" attr.type="double"><default>0.1</default></key>
<graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/>
<edge source="a" target="b"><data key="w">5</data></edge>
<edge source="b" target="c"/>
</graph>
</graphml>
XML
/usr/bin/python3 - <<'END' | tee seen
import igraph
import networkx

print("networkx", networkx.__version__, "igraph", igraph.__version__)
theirs = networkx.read_graphml("a.graphml")
print("networkx: weights", [w for _, _, w in theirs.edges(data="weight")], end=", ")
print("degree of b", theirs.degree("b", weight="weight"))
graph = igraph.Graph.Read_GraphML("a.graphml")
print("igraph: weights", graph.es["weight"], end=", ")
print("degree of b", graph.strength(1, weights="weight"))
END
npm install --silent --no-audit --no-fund graphology@0.26.0 graphology-graphml@$version >/dev/null
cat > a.js <<'JS'
const graph = require('graphology-graphml').parse(require('graphology'), require('fs').readFileSync('a.graphml', 'utf8'))
const weights = graph.mapEdges((e, attributes) => attributes.weight)
console.log('weights', JSON.stringify(weights) + ', sum at b', JSON.stringify(weights[0] + weights[1]))
JS
echo "graphology-graphml $version: $(node a.js)" | tee -a seen
grep -qxF 'networkx: weights [5.0, None], degree of b 6.0' seen
grep -qxF 'igraph: weights [5.0, 0.1], degree of b 5.1' seen
grep -qxF "graphology-graphml $version: weights [5,\"0.1\"], sum at b \"50.1\"" seen
