#!/bin/sh
# Vertices of a Pajek file are told apart by their numbers, so two may have one label, as two people have one name. networkx 2.8 makes
# one node of them: a path of four vertices becomes two nodes, each with an edge to itself. Nothing is said. igraph keeps all four.
#
# Needs networkx 2.8.8 and python-igraph 0.10.2, as Debian 12 has them: apt-get install python3-networkx python3-igraph. Works in a temporary
# folder, and fails if this changes.
#
# Seen: networkx: 2 nodes, edges [('Ann', 'Ann'), ('Ann', 'Bob'), ('Bob', 'Bob')]
# Seen: igraph: 4 nodes, edges [(0, 1), (1, 2), (2, 3)]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
/usr/bin/python3 - <<'END' | tee seen
import igraph
import networkx

print("networkx", networkx.__version__, "igraph", igraph.__version__)
with open("a.net", "w") as file:
    file.write('*Vertices 4\n1 "Ann"\n2 "Ann"\n3 "Bob"\n4 "Bob"\n*Edges\n1 2\n2 3\n3 4\n')
theirs = networkx.read_pajek("a.net")
print("networkx:", len(theirs), "nodes, edges", list(theirs.edges()))
graph = igraph.Graph.Read_Pajek("a.net")
print("igraph:", graph.vcount(), "nodes, edges", graph.get_edgelist())
END
grep -qxF "networkx: 2 nodes, edges [('Ann', 'Ann'), ('Ann', 'Bob'), ('Bob', 'Bob')]" seen
grep -qxF "igraph: 4 nodes, edges [(0, 1), (1, 2), (2, 3)]" seen
