#!/bin/sh
# A Pajek file may have *Arcs, which have a direction, and *Edges, which have none. The last section decides for all of them in networkx and
# in igraph, and in opposite ways: where one gives a directed graph the other gives an undirected one. An edge of the directed graph
# leads one way only. So both lose a direction or half an edge, and nothing is said.
#
# Needs networkx 2.8.8 and python-igraph 0.10.2, as Debian 12 has them: apt-get install python3-networkx python3-igraph. Works in a temporary
# folder, and fails if this changes.
#
# Seen: arc a-b, then edge b-c: networkx directed, c reaches []; igraph undirected, b reaches ['a', 'c']
# Seen: edge b-c, then arc a-b: networkx undirected, b reaches ['a', 'c']; igraph directed, c reaches []
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
/usr/bin/python3 - <<'END' | tee seen
import igraph
import networkx

def describe(directed, reached):
    node = "c" if directed else "b"
    return f"{'' if directed else 'un'}directed, {node} reaches {sorted(reached(node))}"

print("networkx", networkx.__version__, "igraph", igraph.__version__)
arc, edge = '*Arcs\n1 2 1\n', '*Edges\n2 3 1\n'
for name, sections in ("arc a-b, then edge b-c", arc + edge), ("edge b-c, then arc a-b", edge + arc):
    with open("a.net", "w") as file:
        file.write('*Vertices 3\n1 "a"\n2 "b"\n3 "c"\n' + sections)
    theirs = networkx.read_pajek("a.net")
    graph = igraph.Graph.Read_Pajek("a.net")
    graph.vs["name"] = graph.vs["id"]
    print(name + ": networkx", describe(theirs.is_directed(), theirs.neighbors), end="; ")
    print("igraph", describe(graph.is_directed(), lambda n: graph.vs[graph.neighbors(n, mode="out")]["name"]))
END
grep -qxF "arc a-b, then edge b-c: networkx directed, c reaches []; igraph undirected, b reaches ['a', 'c']" seen
grep -qxF "edge b-c, then arc a-b: networkx undirected, b reaches ['a', 'c']; igraph directed, c reaches []" seen
