import networkx as nx, igraph as ig, numpy as np, scipy.io, scipy.sparse as sp, json, sys
print('networkx', nx.__version__, 'igraph', ig.__version__, 'scipy', scipy.__version__, 'numpy', np.__version__, file=sys.stderr)
names=['ann','bea','cid','dan','eva','fay']
edges=[('ann','bea',2.5),('bea','cid',1),('cid','ann',0.5),('dan','eva',3),('eva','fay',1.25)]
open('rows.csv','w').write('id,label\n'+''.join(f'{n},{l}\n' for n,l in zip(names,['x','','','y','',''])))
open('edges.csv','w').write('from,to,weight\n'+''.join(f'{a},{b},{w}\n' for a,b,w in edges))
G=nx.Graph(); G.add_nodes_from(names)
for a,b,w in edges: G.add_edge(a,b,weight=w)
nx.write_gml(G,'networkx.gml'); nx.write_graphml(G,'networkx.graphml'); nx.write_gexf(G,'networkx.gexf'); nx.write_pajek(G,'networkx.net')
nx.write_edgelist(G,'networkx.edgelist'); nx.write_weighted_edgelist(G,'networkx.weighted.edgelist')
json.dump(nx.node_link_data(G),open('networkx.json','w')); nx.write_multiline_adjlist(G,'networkx.multiline_adjlist'); nx.write_adjlist(G,'networkx.adjlist')
json.dump(nx.cytoscape_data(G),open('cytoscape.json','w'))
g=ig.Graph.TupleList(edges,weights=True)
order=g.vs['name']
g.write_gml('igraph.gml'); g.write_graphml('igraph.graphml'); g.write_pajek('igraph.net'); g.write_ncol('igraph.ncol',names='name',weights='weight'); g.write_lgl('igraph.lgl',names='name',weights='weight')
idx={n:i for i,n in enumerate(names)}
A=np.zeros((6,6))
for a,b,w in edges: A[idx[a],idx[b]]=w; A[idx[b],idx[a]]=w
np.save('matrix.npy',A); sp.save_npz('scipy.npz',sp.csr_matrix(A)); scipy.io.mmwrite('scipy.mtx',sp.coo_matrix(A)); scipy.io.savemat('scipy.mat',{'network':sp.csc_matrix(A),'group':np.eye(6)[:,:2]})
ei=np.array([[idx[a] for a,b,w in edges],[idx[b] for a,b,w in edges]]); np.savez('edge_index.npz',edge_index=ei,edge_weight=np.array([w for _,_,w in edges]),y=np.arange(6))
C=sp.csr_matrix(A); X=sp.csr_matrix(np.eye(6))
np.savez('gnn.npz',**{'adj_matrix.data':C.data,'adj_matrix.indices':C.indices,'adj_matrix.indptr':C.indptr,'adj_matrix.shape':C.shape,'attr_matrix.data':X.data,'attr_matrix.indices':X.indices,'attr_matrix.indptr':X.indptr,'attr_matrix.shape':X.shape,'labels':np.array([0,0,0,1,1,1])})
