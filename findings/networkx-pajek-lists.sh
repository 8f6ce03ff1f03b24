#!/bin/sh
# networkx 2.8 takes the lists of neighbours of a Pajek file, *Arcslist and *Edgeslist, for weighted edges: "1 2 3 4" joins 1 to 2, 3 and 4, and
# networkx joins 1 to 2 with the weight 3. Nothing is said, and the other edges are lost. igraph reads all three.
#
# Needs networkx 2.8.8 and python-igraph 0.10.2, as Debian 12 has them: apt-get install python3-networkx python3-igraph. Works in a temporary
# folder, and fails if this changes.
#
# Seen: *Arcslist: networkx [('a', 'b', 3.0)], igraph [('a', 'b'), ('a', 'c'), ('a', 'd')]
# Seen: *Edgeslist: networkx [('a', 'b', 3.0)], igraph [('a', 'b'), ('a', 'c'), ('a', 'd')]
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
/usr/bin/python3 - <<'END' | tee seen
import igraph
import networkx

print("networkx", networkx.__version__, "igraph", igraph.__version__)
for section in "*Arcslist", "*Edgeslist":
    with open("a.net", "w") as file:
        file.write('*Vertices 4\n1 "a"\n2 "b"\n3 "c"\n4 "d"\n' + section + "\n1 2 3 4\n")
    theirs = list(networkx.read_pajek("a.net").edges(data="weight"))
    graph = igraph.Graph.Read_Pajek("a.net")
    edges = [(graph.vs[e.source]["id"], graph.vs[e.target]["id"]) for e in graph.es]
    print(section + ": networkx", theirs, end=", ")
    print("igraph", edges)
END
for section in Arcslist Edgeslist; do
	grep -qxF "*$section: networkx [('a', 'b', 3.0)], igraph [('a', 'b'), ('a', 'c'), ('a', 'd')]" seen
done
