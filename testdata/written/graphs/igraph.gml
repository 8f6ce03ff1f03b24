Creator "igraph version 0.10.2 Sat Nov 28 16:13:02 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "ann"
  ]
  node
  [
    id 1
    name "bea"
  ]
  node
  [
    id 2
    name "cid"
  ]
  node
  [
    id 3
    name "dan"
  ]
  node
  [
    id 4
    name "eva"
  ]
  node
  [
    id 5
    name "fay"
  ]
  edge
  [
    source 1
    target 0
    weight 2.5
  ]
  edge
  [
    source 2
    target 1
    weight 1
  ]
  edge
  [
    source 2
    target 0
    weight 0.5
  ]
  edge
  [
    source 4
    target 3
    weight 3
  ]
  edge
  [
    source 5
    target 4
    weight 1.25
  ]
]
